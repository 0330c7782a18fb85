package org.stage.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One command writes a workload, or a trace set, for every simulator. */
class AllBackendsIT {
  private static final String ALL = "chakra,simai,scalesim,genie,timeline,dot";

  @TempDir Path temp;

  private final String example = Stage.EXAMPLES.resolve("dense-tiny.yaml").toString();

  @Test
  void oneCommandWritesForEverySimulatorAndEachOutputIsFreeOfFaults() throws Exception {
    Stage.Outcome synth = Stage.run(temp, "synth", example, "--to", ALL);
    assertThat(synth.exit()).as(synth.err()).isZero();
    for (String format : ALL.split(",")) {
      assertValid(temp.resolve("out"), format);
    }
  }

  @Test
  void oneCommandConvertsATraceSetForEverySimulator() throws Exception {
    assertThat(Stage.run(temp, "synth", example, "--out", "traces").exit()).isZero();
    Stage.Outcome convert = Stage.run(temp, "convert", "traces/chakra", "--to", ALL);
    assertThat(convert.exit()).as(convert.err()).isZero();
    // a trace has no shapes, so that there is no GEMM to be simulated
    for (String format : List.of("chakra", "simai", "genie", "timeline", "dot")) {
      assertValid(temp.resolve("out"), format);
    }
    assertThat(convert.err())
        .contains("100.00 % of the FLOPs of a rank are in no row")
        .contains("ranks of stage 0 do not all do the same");
    for (int rank = 0; rank < 8; rank++) {
      Path file = Path.of("chakra/workload." + rank + ".et");
      assertThat(temp.resolve("out").resolve(file))
          .hasSameBinaryContentAs(temp.resolve("traces").resolve(file));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "simai, dependencies and overlap are not in the file",
    "scalesim, of the FLOPs of a rank are in no row",
    "genie, compute nodes are",
    "dot, the drawing shows what ranks"
  })
  void whatAFormatLosesFailsTheRunWhereThatIsNotWanted(String format, String loss)
      throws Exception {
    assertThat(Stage.run(temp, "synth", example, "--out", "traces").exit()).isZero();
    Stage.Outcome synth = Stage.run(temp, "synth", example, "--to", format, "--fail-if-lossy");
    assertRefused(synth, format, loss);
    Stage.Outcome convert =
        Stage.run(temp, "convert", "traces/chakra", "--to", format, "--fail-if-lossy");
    assertRefused(convert, format, loss);

    Stage.Outcome accepted = Stage.run(temp, "synth", example, "--to", format);
    assertThat(accepted.exit()).isZero();
    JsonNode report =
        BackendSums.json(temp.resolve("out").resolve(format).resolve("export-report.json"));
    assertThat(report.get("losses").findValuesAsText("message"))
        .anyMatch(message -> message.contains(loss));
    assertThat(accepted.err()).contains(loss);
  }

  @ParameterizedTest
  @ValueSource(strings = {"chakra", "timeline"})
  void aFormatThatSaysAllPasses(String format) throws Exception {
    Stage.Outcome synth = Stage.run(temp, "synth", example, "--to", format, "--fail-if-lossy");
    assertThat(synth.exit()).as(synth.err()).isZero();
    assertThat(Stage.run(temp, "synth", example, "--out", "traces").exit()).isZero();
    Stage.Outcome convert =
        Stage.run(
            temp, "convert", "traces/chakra", "--to", format, "--fail-if-lossy", "--out", "again");
    assertThat(convert.exit()).as(convert.err()).isZero();
  }

  private void assertValid(Path out, String format) throws Exception {
    Path folder = out.resolve(format);
    Stage.Outcome validate = Stage.run(temp, "validate", folder.toString(), "--from", format);
    assertThat(validate.exit()).as(validate.out() + validate.err()).isZero();
    assertThat(validate.out().lines())
        .anyMatch(line -> line.startsWith(format + ": ") && line.contains(": no faults"));
  }

  private void assertRefused(Stage.Outcome outcome, String format, String loss) throws Exception {
    assertThat(outcome.exit()).as(outcome.err()).isEqualTo(1);
    assertThat(outcome.err())
        .contains(loss)
        .contains("--fail-if-lossy: the export to " + format + " loses something");
    assertThat(Files.exists(temp.resolve("out"))).isFalse();
  }
}
