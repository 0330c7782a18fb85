package org.stage.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Makes plugins of one class, compiled against the packed distribution as an author's are. */
final class PluginJars {
  private PluginJars() {}

  /** Writes the plugin {@code id}, whose one extension is the class of that name. */
  static void write(Path jar, String id, String className, String text) throws Exception {
    Path classes = Files.createDirectory(jar.resolveSibling("classes"));
    compile(classes, className, text);
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().putValue("Manifest-Version", "1.0");
    manifest.getMainAttributes().putValue("Plugin-Id", id);
    manifest.getMainAttributes().putValue("Plugin-Version", "1.0.0");
    manifest.getMainAttributes().putValue("Plugin-Requires", ">=0.1.0");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest)) {
      out.putNextEntry(new JarEntry("META-INF/extensions.idx"));
      out.write(className.getBytes(UTF_8));
      out.putNextEntry(new JarEntry(className + ".class"));
      out.write(Files.readAllBytes(classes.resolve(className + ".class")));
    }
  }

  private static void compile(Path classes, String className, String text) throws Exception {
    String api;
    try (Stream<Path> jars = Files.list(Command.DIST.resolve("lib"))) {
      api =
          jars.map(Path::toString)
              .collect(Collectors.joining(System.getProperty("path.separator")));
    }
    JavaFileObject source =
        new SimpleJavaFileObject(
            URI.create("string:///" + className + ".java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
          }
        };
    List<String> options =
        List.of("-d", classes.toString(), "-cp", api, "--release", "17", "-proc:none", "-nowarn");
    if (!ToolProvider.getSystemJavaCompiler()
        .getTask(null, null, null, options, null, List.of(source))
        .call()) {
      throw new IllegalStateException("does not compile");
    }
  }
}
