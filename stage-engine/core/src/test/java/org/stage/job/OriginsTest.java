package org.stage.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.stage.api.diagnostic.InputException;

class OriginsTest {
  private static final Origin FILE = new Origin("w.yaml", 1, "");

  private final Origins origins =
      new Origins(
          FILE,
          Map.of(
              "mesh", new Origin("w.yaml", 2, "mesh"),
              "mesh.tp", new Origin("w.yaml", 3, "mesh.tp"),
              "training.seq", new Origin(Origin.OPTION, 0, "training.seq")));

  @Test
  void whatIsSaidStandsWhereItIsSaid() {
    assertThat(origins.of("mesh.tp")).hasToString("w.yaml, line 3, mesh.tp");
    assertThat(origins.of("training.seq")).hasToString("--set training.seq");
  }

  @Test
  void whatIsNotSaidStandsInTheInnermostMapThatWouldHoldIt() {
    assertThat(origins.of("mesh.dp")).hasToString("w.yaml, line 2, mesh.dp");
    assertThat(origins.of("hardware.memory_gb")).hasToString("w.yaml, line 1, hardware.memory_gb");
  }

  @Test
  void problemsAreToldInTheOrderOfTheFileAndTheCommandLineFirst() {
    Problems problems = new Problems();
    problems.add(origins.of("training.seq"), "is odd", "Halve it.");
    problems.add(origins.of("mesh.tp"), "is 0", "Raise it.");
    problems.add(origins.of("mesh.dp"), "is missing", "Add it.");

    assertThatThrownBy(problems::report)
        .isInstanceOf(InputException.class)
        .hasMessage(
            """
            --set training.seq: is odd. Halve it.
            w.yaml, line 2, mesh.dp: is missing. Add it.
            w.yaml, line 3, mesh.tp: is 0. Raise it.\
            """);
  }

  @Test
  void withoutProblemsNothingIsReported() {
    new Problems().report();
  }
}
