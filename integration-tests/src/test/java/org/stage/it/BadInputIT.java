package org.stage.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Wrong input as a user meets it: one clear line, no stack trace, no output. */
class BadInputIT {
  private static final String TRAINING = "training: {global_batch: 8, seq: 128}\n";

  @TempDir Path temp;

  static Stream<Arguments> wrong() {
    return Stream.of(
        Arguments.of("", "is empty"),
        Arguments.of("model: lama-3.1-8b\n" + TRAINING, "Did you mean llama-3.1-8b?"),
        Arguments.of("modle: llama-3.1-8b\n" + TRAINING, "line 1: there is no key 'modle'"),
        Arguments.of(
            "model: llama-3.1-8b\nmesh: {tp: 6}\n" + TRAINING,
            "line 2, mesh.tp: 6 does not divide 32 attention heads"),
        Arguments.of("model: llama-3.1-8b\nmesh: {dp: -1}\n" + TRAINING, "line 2, mesh.dp"),
        Arguments.of(
            "model: llama-3.1-8b\nmesh: {dp: 12345678901234567890}\n" + TRAINING, "mesh.dp"),
        Arguments.of("model: llama-3.1-8b\ntraining: {global_batch: .nan, seq: 8}\n", "line 2"),
        Arguments.of("a: &a [x, x]\nb: &b [*a, *a]\nmodel: *b\n", "line 1"));
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void aWrongFileGetsOneLineAndExit2(String text, String expected) throws Exception {
    Files.writeString(temp.resolve("job.yaml"), text);
    refused(Stage.run(temp, "synth", "job.yaml", "--out", "out"), 2, expected);
  }

  @Test
  void aMissingFileIsNamed() throws Exception {
    refused(Stage.run(temp, "synth", "none.yaml", "--out", "out"), 2, "none.yaml");
  }

  @Test
  void aFileOfAGigabyteIsRefusedBySize() throws Exception {
    try (RandomAccessFile file = new RandomAccessFile(temp.resolve("big.yaml").toFile(), "rw")) {
      file.setLength(1L << 30);
    }
    refused(Stage.run(temp, "synth", "big.yaml", "--out", "out"), 2, "big.yaml");
  }

  @Test
  void anOutputThatIsAFileIsRefused() throws Exception {
    Files.writeString(temp.resolve("file"), "");
    String example = Stage.EXAMPLES.resolve("dense-tiny.yaml").toString();
    Stage.Outcome outcome = Stage.run(temp, "synth", example, "--out", "file/out");
    assertThat(outcome.exit()).isIn(1, 2);
    assertThat(outcome.err().lines()).hasSize(1).first().asString().contains("file");
  }

  @Test
  void outputThatIsThereIsKeptUnlessForced() throws Exception {
    String example = Stage.EXAMPLES.resolve("dense-tiny.yaml").toString();
    assertThat(Stage.run(temp, "synth", example, "--out", "out").exit()).isZero();
    Stage.Outcome again = Stage.run(temp, "synth", example, "--out", "out");
    assertThat(again.exit()).isEqualTo(2);
    assertThat(again.err()).contains("--force");
    assertThat(Stage.run(temp, "synth", example, "--out", "out", "--force").exit()).isZero();
  }

  private void refused(Stage.Outcome outcome, int exit, String expected) {
    assertThat(outcome.exit()).as(outcome.err()).isEqualTo(exit);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err()).contains(expected).doesNotContain("\tat ", "Exception");
    assertThat(outcome.err().lines().toList()).hasSize(1);
    assertThat(temp.resolve("out")).doesNotExist();
  }
}
