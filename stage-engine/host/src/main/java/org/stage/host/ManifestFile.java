package org.stage.host;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;

/** Reads the manifest of a JAR, whole or torn. */
final class ManifestFile {
  private static final String ENTRY = "META-INF/MANIFEST.MF";
  private static final int MAX_BYTES = 1 << 20;

  private ManifestFile() {}

  /** The main attributes, or why there are none. */
  static Attributes read(Path jar) throws PluginRefused {
    if (Files.isDirectory(jar)) {
      throw new PluginRefused("it is a folder, not a JAR", "Remove it, or pack it.");
    }
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      @Nullable ZipEntry entry = zip.getEntry(ENTRY);
      if (entry == null) {
        throw new PluginRefused("it has no manifest", PluginManifest.REBUILD);
      }
      try (InputStream in = zip.getInputStream(entry)) {
        return attributes(in);
      }
    } catch (IOException | RuntimeException e) {
      throw new PluginRefused(
          "it cannot be read as a JAR: " + Failures.text(e), "Copy or build it again.", e);
    }
  }

  /**
   * The names that a JAR claims, however broken it is: a JAR whose end is missing still begins with
   * its manifest. Empty if none can be made out.
   */
  static List<String> names(Path jar) {
    try {
      return names(read(jar));
    } catch (PluginRefused broken) {
      return namesAtBeginning(jar);
    }
  }

  private static List<String> namesAtBeginning(Path jar) {
    try (InputStream file = Files.newInputStream(jar);
        ZipInputStream zip = new ZipInputStream(file)) {
      // the manifest is the first entry, or the second behind that of its folder
      for (int i = 0; i < 2; i++) {
        @Nullable ZipEntry entry = zip.getNextEntry();
        if (entry != null && entry.getName().equals(ENTRY)) {
          return names(attributes(zip));
        }
      }
      return List.of();
    } catch (IOException | RuntimeException e) {
      // broken is what it was said to be already
      return List.of();
    }
  }

  /** The plugin id and what it is said to provide. */
  static List<String> names(Attributes attributes) {
    return Stream.of("Plugin-Id", "Plugin-Provides")
        .map(attributes::getValue)
        .filter(value -> value != null)
        .flatMap(value -> Arrays.stream(value.split(",")))
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .distinct()
        .toList();
  }

  private static Attributes attributes(InputStream in) throws IOException {
    byte[] bytes = in.readNBytes(MAX_BYTES + 1);
    if (bytes.length > MAX_BYTES) {
      throw new IOException("its manifest is larger than " + (MAX_BYTES >> 20) + " MB");
    }
    return new Manifest(new ByteArrayInputStream(bytes)).getMainAttributes();
  }
}
