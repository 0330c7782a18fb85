package org.stage.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

/**
 * A plugin that writes one file a rank in the format {@code fake}, checks such folders, and fails
 * in the ways its option {@code mood} names.
 */
final class FakePlugin {
  private static final String EXPORTER =
      """
      package fake;

      import java.io.IOException;
      import java.nio.file.Files;
      import java.util.List;
      import org.stage.api.diagnostic.*;
      import org.stage.api.plugin.*;
      import org.stage.api.workload.*;

      public class FakeExporter implements Exporter {
        public String name() { return "fake"; }
        public String description() { return "writes one file a rank"; }
        public List<Option> options() {
          return List.of(Option.ofChoice("mood", List.of("good", "bug", "input", "memory", "curious"), "how"));
        }
        public Capabilities capabilities() {
          return Capabilities.nothing().with(NodeKind.COMPUTE);
        }
        public ExportReport export(Workload workload, ExportContext context) throws IOException {
          long nodes = 0;
          for (RankClass each : workload.classes()) {
            ExecutionGraph graph = each.graph();
            for (int rank : each.ranks().stream().toArray()) {
              context.checkCancelled();
              if (context.ranks().contains(rank)) {
                Files.writeString(context.directory().resolve(rank + ".fake"), "rank");
                nodes += graph.nodes().size();
              }
            }
          }
          switch (context.options().get("mood")) {
            case "bug": throw new IllegalStateException("boom");
            case "input": throw new InputException("fake", "cannot say that", "Say less.");
            case "memory": throw new OutOfMemoryError();
            case "curious": look(); break;
            default: break;
          }
          return new ExportReport(nodes, List.of(Diagnostic.warning("fake", "drops names", "")));
        }
        private static void look() {
          for (String name : List.of("picocli.CommandLine", "org.stage.cli.Main",
              "org.stage.engine.Synthesis", "com.fasterxml.jackson.core.JsonFactory")) {
            try {
              Class.forName(name);
              throw new IllegalStateException(name + " is in sight");
            } catch (ClassNotFoundException e) {
              // as it should be
            }
          }
        }
      }
      """;

  private static final String VALIDATOR =
      """
      package fake;

      import java.io.IOException;
      import java.nio.file.*;
      import java.util.*;
      import org.stage.api.diagnostic.*;
      import org.stage.api.plugin.*;

      public class FakeValidator implements TraceValidator {
        public String name() { return "fake"; }
        public String description() { return "checks the files"; }
        public boolean accepts(Path directory) { return Files.exists(directory.resolve("0.fake")); }
        public Validation validate(Path directory, Progress progress) throws IOException {
          List<Diagnostic> faults = new ArrayList<>();
          int files = 0;
          try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
            for (Path file : all) {
              files++;
              if (!Files.readString(file).equals("rank")) {
                faults.add(Diagnostic.error(file.getFileName().toString(), "not 'rank'", ""));
              }
            }
          }
          return new Validation(files + " ranks", faults);
        }
      }
      """;

  private FakePlugin() {}

  /** Writes the JAR into {@code folder}. */
  static void write(Path folder) throws IOException {
    Path classes = Files.createTempDirectory(folder, "classes");
    compile(classes);
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().putValue("Manifest-Version", "1.0");
    manifest.getMainAttributes().putValue("Plugin-Id", "fake");
    manifest.getMainAttributes().putValue("Plugin-Version", "1.0.0");
    manifest.getMainAttributes().putValue("Plugin-Requires", ">=0.1.0");
    try (OutputStream file = Files.newOutputStream(folder.resolve("fake.jar"));
        JarOutputStream out = new JarOutputStream(file, manifest)) {
      out.putNextEntry(new JarEntry("META-INF/extensions.idx"));
      out.write("fake.FakeExporter\nfake.FakeValidator\nfake.FakeImporter\n".getBytes(UTF_8));
      for (String type : List.of("FakeExporter", "FakeValidator", "FakeImporter")) {
        String name = "fake/" + type + ".class";
        out.putNextEntry(new JarEntry(name));
        out.write(Files.readAllBytes(classes.resolve(name)));
      }
    }
  }

  private static void compile(Path classes) {
    String api =
        Stream.of(Exporter.class, ExtensionPoint.class, Logger.class, NullMarked.class)
            .map(FakePlugin::location)
            .collect(Collectors.joining(System.getProperty("path.separator")));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<String> options =
        List.of("-d", classes.toString(), "-cp", api, "--release", "17", "-proc:none");
    List<JavaFileObject> sources =
        List.of(
            source("FakeExporter", EXPORTER),
            source("FakeValidator", VALIDATOR),
            source("FakeImporter", FakeImporter.SOURCE));
    if (!compiler.getTask(null, null, null, options, null, sources).call()) {
      throw new IllegalStateException("does not compile");
    }
  }

  private static JavaFileObject source(String name, String text) {
    URI uri = URI.create("string:///fake/" + name + ".java");
    return new SimpleJavaFileObject(uri, JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return text;
      }
    };
  }

  private static String location(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
