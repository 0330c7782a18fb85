package org.stage.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MistakesTest {
  @TempDir static Path home;

  @BeforeAll
  static void makeDistribution() throws IOException {
    Distribution.make(home);
  }

  static Stream<String> mistakes() {
    try (InputStream in = MistakesTest.class.getResourceAsStream("mistakes.txt")) {
      assertThat(in).isNotNull();
      return new String(in.readAllBytes(), UTF_8).lines().filter(line -> !line.startsWith("#"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void aTypicalMistakeGetsOneMessageThatSaysWhatToDo(String line) {
    String[] parts = line.split(" \\| ");
    Run run =
        Run.of(
            home,
            Map.of("STAGE_PLUGIN_HOME", home.resolve("none").toString()),
            new Interruption(new PrintWriter(Writer.nullWriter())),
            Arrays.stream(parts[0].split(" ")).map(this::word).toArray(String[]::new));

    List<String> errors = run.err().lines().filter(each -> each.startsWith("error: ")).toList();
    assertThat(errors).as(run.err()).isNotEmpty();
    String headline = errors.size() == 1 ? run.err() : errors.get(0);
    assertThat(headline).contains(parts[1].split("; "));
    assertThat(run.err()).doesNotContain("error: Error", "Exception", "\tat ");
    assertThat(run.exit()).isEqualTo(ExitCode.WRONG_INPUT);
    assertThat(run.out()).isEmpty();
    assertThat(home.resolve("out")).doesNotExist();
  }

  private String word(String typed) {
    return typed
        .replace("JOBS", home.resolve("job.yml").toString())
        .replace("JOB", home.resolve("job.yaml").toString())
        .replace("HOME", home.toString())
        .replace("OUT", home.resolve("out").toString())
        .replace('_', typed.contains(":_") ? ' ' : '_')
        .replace('~', '_');
  }
}
