package org.stage.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/** Packs a plugin without libraries as its own build does, which may not have run. */
final class PackedPlugin {
  private PackedPlugin() {}

  /**
   * Writes the JAR of the plugin {@code id}, to which {@code type} belongs, into {@code folder}.
   */
  static void write(Path folder, String id, Class<?> type) throws IOException {
    Path source =
        Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()));
    if (!Files.isDirectory(source)) {
      Files.copy(source, folder.resolve(id + ".jar"));
      return;
    }
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().putValue("Manifest-Version", "1.0");
    manifest.getMainAttributes().putValue("Plugin-Id", id);
    manifest.getMainAttributes().putValue("Plugin-Version", "1.0.0");
    manifest.getMainAttributes().putValue("Plugin-Requires", ">=0.1.0");
    List<Path> files;
    try (Stream<Path> all = Files.walk(source)) {
      files = all.filter(Files::isRegularFile).toList();
    }
    try (OutputStream file = Files.newOutputStream(folder.resolve(id + ".jar"));
        JarOutputStream out = new JarOutputStream(file, manifest)) {
      for (Path each : files) {
        String name = source.relativize(each).toString();
        if (!name.equals("META-INF/MANIFEST.MF")) {
          out.putNextEntry(new JarEntry(name));
          try (InputStream in = Files.newInputStream(each)) {
            in.transferTo(out);
          }
        }
      }
    }
  }
}
