package org.stage.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Plugins that end the JVM, never return, or use up memory or stack, each in each place where code
 * of a plugin runs: the exit code is not 0, the JAR is named, nothing is left behind, and other
 * backends work.
 */
class HostilePluginIT {
  private static final Map<String, String> DEEDS =
      Map.of(
          "exit", "System.exit(0);",
          "halt", "Runtime.getRuntime().halt(0);",
          "loop", "while (true) { }",
          "memory", "while (true) { HOARD.add(new byte[1 << 20]); }",
          "stack", "deep(0);");

  @TempDir Path temp;
  private Path plugins;

  @BeforeEach
  void makeFolder() throws IOException {
    plugins = Files.createDirectory(temp.resolve("plugins"));
    Files.createDirectory(temp.resolve("traces"));
  }

  static Stream<Arguments> matrix() {
    return Stream.of("static", "constructor", "export", "validate")
        .flatMap(
            place ->
                Stream.of("exit", "halt", "loop", "memory", "stack")
                    .map(deed -> Arguments.of(place, deed)));
  }

  /** A JAR that gives the exporter and validator {@code evil}. */
  private void write(String place, String deed) throws Exception {
    String text =
        """
        import java.io.*; import java.nio.file.*; import java.util.*;
        import org.stage.api.plugin.*; import org.stage.api.workload.*;
        public class Evil implements Exporter, TraceValidator {
          static final List<byte[]> HOARD = new ArrayList<>();
          static { at("static"); }
          public Evil() { at("constructor"); }
          public String name() { return "evil"; }
          public String description() { return "does harm"; }
          public boolean accepts(Path directory) { return false; }
          public ExportReport export(Workload workload, ExportContext context) throws IOException {
            Files.writeString(context.directory().resolve("half.txt"), "half");
            at("export");
            return new ExportReport(0, List.of());
          }
          public Validation validate(Path directory, Progress progress) throws IOException {
            Files.writeString(directory.resolve("begun"), "");
            at("validate");
            return new Validation("nothing", List.of());
          }
          static int deep(int n) { return deep(n + 1) + 1; }
          static void at(String place) {
            if (place.equals("%s")) { %s }
          }
        }
        """
            .formatted(place, DEEDS.get(deed));
    PluginJars.write(plugins.resolve("evil.jar"), "evil", "Evil", text);
  }

  private Command stage(Map<String, String> more, String... args) throws Exception {
    Map<String, String> all = new TreeMap<>(more);
    all.put("STAGE_PLUGINS", plugins.toString());
    return Command.stage(temp, all, args);
  }

  private static String[] using(String place) {
    String example = Stage.EXAMPLES.resolve("dense-tiny.yaml").toString();
    return place.equals("validate")
        ? new String[] {"validate", "traces", "--from", "evil"}
        : new String[] {"synth", example, "--to", "evil", "--out", "out"};
  }

  @ParameterizedTest
  @Tag("long")
  @MethodSource("matrix")
  void endsWithTheNameOfTheJarAndNothingLeft(String place, String deed) throws Exception {
    endsWell(place, deed);
  }

  @ParameterizedTest
  @ValueSource(strings = {"exit", "halt"})
  void anExportThatEndsTheJvmEndsWithTheNameOfTheJarAndNothingLeft(String deed) throws Exception {
    endsWell("export", deed);
  }

  private void endsWell(String place, String deed) throws Exception {
    write(place, deed);
    boolean needsSignal =
        deed.equals("loop") && (place.equals("export") || place.equals("validate"));

    Command run =
        needsSignal
            ? terminated(using(place))
            : stage(
                deed.equals("memory") ? Map.of("STAGE_JAVA_OPTS", "-Xmx96m") : Map.of(),
                using(place));

    assertThat(run.exit()).as(run.err()).isEqualTo(needsSignal ? 143 : 1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("error: ", "evil.jar").doesNotContain("\\tat ");
    assertThat(temp.resolve("out")).doesNotExist();
  }

  /** Starts a command, and terminates it when the plugin is at work. */
  private Command terminated(String... args) throws Exception {
    Path err = temp.resolve("err.txt");
    ProcessBuilder builder = new ProcessBuilder(Command.DIST.resolve("bin/stage").toString());
    builder.command().addAll(List.of(args));
    builder.directory(temp.toFile()).redirectError(err.toFile());
    builder.redirectOutput(temp.resolve("out.txt").toFile());
    builder.environment().put("STAGE_PLUGINS", plugins.toString());
    Process process = builder.start();
    while (process.isAlive() && !begun()) {
      Thread.onSpinWait();
    }
    process.destroy();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Command(
        process.exitValue(), Files.readString(temp.resolve("out.txt")), Files.readString(err));
  }

  private boolean begun() throws IOException {
    try (Stream<Path> files = Files.walk(temp)) {
      return files.anyMatch(file -> file.endsWith("half.txt") || file.endsWith("begun"));
    } catch (UncheckedIOException | NoSuchFileException e) {
      // a folder was renamed meanwhile
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"static", "constructor", "export", "validate"})
  void harmsNoCommandThatDoesNotUseIt(String place) throws Exception {
    write(place, "halt");
    String example = Stage.EXAMPLES.resolve("dense-tiny.yaml").toString();

    Command synth = stage(Map.of(), "synth", example, "--to", "chakra", "--out", "out");
    Command list = stage(Map.of(), "plugins", "list");

    assertThat(synth.exit()).as(synth.err()).isZero();
    assertThat(synth.err()).doesNotContain("evil");
    assertThat(temp.resolve("out/chakra")).isDirectory();
    assertThat(list.exit()).isZero();
    assertThat(list.out())
        .containsPattern("evil +1\\.0\\.0 +STARTED +exporter and validator evil ");
  }

  @Test
  void whoeverHaltsTheJvmLeavesNoNote() throws Exception {
    write("export", "halt");
    Path scratch = Files.createDirectory(temp.resolve("scratch"));

    stage(Map.of("TMPDIR", scratch.toString()), using("export"));

    assertThat(scratch).isEmptyDirectory();
  }
}
