package org.stage.cli;

import com.fasterxml.jackson.annotation.JsonView;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.stage.plugin.huggingface.HuggingFaceImporter;

/** Packs the importer as its own build does, which has not run when only classes are built. */
final class PackedImporter {
  private PackedImporter() {}

  /** Writes the JAR into {@code folder}. */
  static void write(Path folder) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().putValue("Manifest-Version", "1.0");
    manifest.getMainAttributes().putValue("Plugin-Id", "huggingface");
    manifest.getMainAttributes().putValue("Plugin-Version", "1.0.0");
    manifest.getMainAttributes().putValue("Plugin-Requires", ">=0.1.0");
    Set<String> names = new HashSet<>();
    try (OutputStream file = Files.newOutputStream(folder.resolve("huggingface.jar"));
        JarOutputStream out = new JarOutputStream(file, manifest)) {
      out.setLevel(0);
      for (Class<?> type :
          List.of(
              HuggingFaceImporter.class, ObjectMapper.class, JsonFactory.class, JsonView.class)) {
        add(out, names, location(type));
      }
    }
  }

  private static void add(JarOutputStream out, Set<String> names, Path source) throws IOException {
    if (Files.isDirectory(source)) {
      addTree(out, names, source);
      return;
    }
    URI jar = URI.create("jar:" + source.toUri());
    try (FileSystem files = FileSystems.newFileSystem(jar, Map.of())) {
      addTree(out, names, files.getPath("/"));
    }
  }

  private static void addTree(JarOutputStream out, Set<String> names, Path root)
      throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      files
          .filter(Files::isRegularFile)
          .forEach(
              file -> {
                String name = root.relativize(file).toString();
                if (name.equals("META-INF/MANIFEST.MF") || !names.add(name)) {
                  return;
                }
                try (InputStream in = Files.newInputStream(file)) {
                  out.putNextEntry(new JarEntry(name));
                  in.transferTo(out);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }

  private static Path location(Class<?> type) {
    return Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()));
  }
}
