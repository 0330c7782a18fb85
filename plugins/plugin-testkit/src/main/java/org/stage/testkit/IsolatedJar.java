package org.stage.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;
import org.stage.api.plugin.Plugin;

/** A plugin JAR as the host sees it: with the API and the platform, and nothing else beside it. */
final class IsolatedJar implements AutoCloseable {
  static final String INDEX = "META-INF/extensions.idx";
  private static final List<String> SHARED =
      List.of("org.stage.api.", "org.pf4j.", "org.slf4j.", "org.jspecify.");

  private final Path jar;
  private final URLClassLoader loader;

  IsolatedJar(Path jar) throws IOException {
    this.jar = jar;
    this.loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, new HostClasses());
  }

  ClassLoader loader() {
    return loader;
  }

  /** The names in its index; none if it has no index. */
  List<String> index() throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      @Nullable ZipEntry entry = file.getEntry(INDEX);
      if (entry == null) {
        return List.of();
      }
      try (InputStream in = file.getInputStream(entry)) {
        return new String(in.readAllBytes(), UTF_8)
            .lines()
            .map(line -> line.replaceFirst("#.*", "").strip())
            .filter(line -> !line.isEmpty())
            .toList();
      }
    }
  }

  /** Makes the extension of that class. */
  Plugin extension(String className) throws ReflectiveOperationException {
    Class<?> type = Class.forName(className, true, loader);
    return (Plugin) type.getConstructor().newInstance();
  }

  @Override
  public void close() throws IOException {
    loader.close();
  }

  /** What the host shares, and the platform. */
  private static final class HostClasses extends ClassLoader {
    private static final @Nullable ClassLoader OURS = IsolatedJar.class.getClassLoader();

    HostClasses() {
      super(ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      return SHARED.stream().anyMatch(name::startsWith)
          ? Class.forName(name, false, OURS)
          : super.loadClass(name, resolve);
    }
  }
}
