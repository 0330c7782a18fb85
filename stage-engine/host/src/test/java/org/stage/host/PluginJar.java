package org.stage.host;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;
import org.pf4j.ExtensionPoint;
import org.slf4j.Logger;
import org.stage.api.plugin.Exporter;

/** Makes plugin JARs from source, good ones and bad ones. */
final class PluginJar {
  private final Map<String, String> manifest = new LinkedHashMap<>();
  private final Map<String, byte[]> entries = new LinkedHashMap<>();
  private final List<JavaFileObject> sources = new ArrayList<>();
  private final List<String> index = new ArrayList<>();
  private final List<String> omitted = new ArrayList<>();
  private boolean manifestWanted = true;
  private int classVersion = 61;

  PluginJar(String id) {
    manifest.put("Plugin-Id", id);
    manifest.put("Plugin-Version", "1.2.0");
    manifest.put("Plugin-Requires", ">=0.1.0 & <1.0.0");
  }

  PluginJar manifest(String key, String value) {
    manifest.put(key, value);
    return this;
  }

  PluginJar withoutManifest() {
    manifestWanted = false;
    return this;
  }

  /** Leaves out a class that is compiled: {@code test/Helper.class}. */
  PluginJar without(String entry) {
    omitted.add(entry);
    return this;
  }

  /** Says that the classes are of another version of Java: 61 is 17. */
  PluginJar classVersion(int version) {
    classVersion = version;
    return this;
  }

  PluginJar entry(String name, byte[] content) {
    entries.put(name, content);
    return this;
  }

  PluginJar index(String... classNames) {
    index.addAll(List.of(classNames));
    return this;
  }

  /** Adds a class; its text begins behind the package and import lines. */
  PluginJar source(String packageName, String simpleName, String text) {
    String all =
        "package %s;\nimport java.io.*; import java.nio.file.*; import java.util.*;\n"
                .formatted(packageName)
            + "import org.stage.api.plugin.*; import org.stage.api.workload.*;\n"
            + "import org.stage.api.diagnostic.*;\n"
            + text;
    URI uri = URI.create("string:///" + packageName.replace('.', '/') + "/" + simpleName + ".java");
    sources.add(
        new SimpleJavaFileObject(uri, JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return all;
          }
        });
    return this;
  }

  /** Adds an exporter whose {@code export} has the given body. */
  PluginJar exporter(String name, String body) {
    String className = "E" + index.size();
    index("test." + className);
    return source(
        "test",
        className,
        """
        public class %s implements Exporter {
          public String name() { return "%s"; }
          public String description() { return "writes"; }
          public ExportReport export(Workload workload, ExportContext context) throws IOException {
            %s
          }
        }
        """
            .formatted(className, name, body));
  }

  /** A plugin whose exporter writes one file. */
  static PluginJar good(String id) {
    return new PluginJar(id)
        .exporter(
            id,
            "Files.writeString(context.directory().resolve(\"a.txt\"), \"hello\");"
                + " return new ExportReport(7, List.of());");
  }

  Path write(Path jar) {
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      if (manifestWanted) {
        Manifest made = new Manifest();
        made.getMainAttributes().putValue("Manifest-Version", "1.0");
        manifest.forEach((key, value) -> made.getMainAttributes().putValue(key, value));
        out.putNextEntry(new JarEntry("META-INF/MANIFEST.MF"));
        made.write(out);
      }
      if (!index.isEmpty()) {
        put(out, "META-INF/extensions.idx", String.join("\n", index).getBytes(UTF_8));
      }
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        put(out, entry.getKey(), entry.getValue());
      }
      for (Map.Entry<String, byte[]> entry : compiled().entrySet()) {
        put(out, entry.getKey(), entry.getValue());
      }
      return jar;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void put(JarOutputStream out, String name, byte[] content) throws IOException {
    out.putNextEntry(new JarEntry(name));
    out.write(content);
  }

  private Map<String, byte[]> compiled() throws IOException {
    Map<String, byte[]> classes = new LinkedHashMap<>();
    if (sources.isEmpty()) {
      return classes;
    }
    Path folder = Files.createTempDirectory("plugin");
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<String> options =
        List.of("-d", folder.toString(), "-cp", apiPath(), "--release", "17", "-proc:none");
    if (!compiler.getTask(null, null, null, options, null, sources).call()) {
      throw new IllegalStateException("does not compile");
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = folder.relativize(file).toString().replace('\\', '/');
        byte[] bytes = Files.readAllBytes(file);
        bytes[7] = (byte) classVersion;
        classes.put(name, bytes);
      }
    }
    FileTrees.delete(folder);
    classes.keySet().removeAll(omitted);
    return classes;
  }

  /** What a plugin sees when it is compiled, and nothing of the host. */
  private static String apiPath() {
    return Stream.of(Exporter.class, ExtensionPoint.class, Logger.class, NullMarked.class)
        .map(PluginJar::location)
        .collect(Collectors.joining(System.getProperty("path.separator")));
  }

  private static String location(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
