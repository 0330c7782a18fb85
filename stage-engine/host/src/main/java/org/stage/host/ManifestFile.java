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

  /** The line in which a plugin names its extensions. */
  static final String PROVIDES = "Plugin-Provides";

  private ManifestFile() {}

  /**
   * Reads it.
   *
   * @throws PluginRefused if there is none
   */
  static Manifest read(Path jar) {
    if (Files.isDirectory(jar)) {
      throw new PluginRefused("it is a folder, not a JAR", "Remove it, or pack it.");
    }
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      @Nullable ZipEntry entry = zip.getEntry(ENTRY);
      if (entry == null) {
        throw new PluginRefused("it has no manifest", ManifestFinder.REBUILD);
      }
      try (InputStream in = zip.getInputStream(entry)) {
        return manifest(in);
      }
    } catch (PluginRefused refused) {
      throw refused;
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
      return names(read(jar).getMainAttributes(), "Plugin-Id", PROVIDES);
    } catch (PluginRefused broken) {
      return namesAtBeginning(jar);
    }
  }

  /** The version that a JAR claims; empty if none can be made out. */
  static String version(Path jar) {
    try {
      return String.join("", names(read(jar).getMainAttributes(), "Plugin-Version"));
    } catch (PluginRefused broken) {
      return "";
    }
  }

  private static List<String> namesAtBeginning(Path jar) {
    try (InputStream file = Files.newInputStream(jar);
        ZipInputStream zip = new ZipInputStream(file)) {
      // the manifest is the first entry, or the second behind that of its folder
      for (int i = 0; i < 2; i++) {
        @Nullable ZipEntry entry = zip.getNextEntry();
        if (entry != null && entry.getName().equals(ENTRY)) {
          return names(manifest(zip).getMainAttributes(), "Plugin-Id", PROVIDES);
        }
      }
      return List.of();
    } catch (IOException | RuntimeException e) {
      // broken is what it was said to be already
      return List.of();
    }
  }

  /** What stands in some attributes, comma-separated. */
  static List<String> names(Attributes attributes, String... keys) {
    return Stream.of(keys)
        .map(attributes::getValue)
        .filter(value -> value != null)
        .flatMap(value -> Arrays.stream(value.split(",")))
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .distinct()
        .toList();
  }

  private static Manifest manifest(InputStream in) throws IOException {
    byte[] bytes = in.readNBytes(MAX_BYTES + 1);
    if (bytes.length > MAX_BYTES) {
      throw new IOException("its manifest is larger than " + (MAX_BYTES >> 20) + " MB");
    }
    return new Manifest(new ByteArrayInputStream(bytes));
  }
}
