package org.stage.backend.genie;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.stage.api.diagnostic.Severity;
import org.stage.api.plugin.Progress;
import org.stage.api.plugin.TraceValidator.Validation;
import org.stage.testkit.SharedData;

/** Files of the public branch, where they are at hand. */
final class SharedFixturesTest {
  @Test
  void theSamplesOfThePublicBranchHaveNoFault() throws IOException {
    Path found = SharedData.get("data/astra-sim/genie_branch");

    Validation validation = new GenieValidator().validate(found, Progress.NONE);

    assertThat(validation.diagnostics())
        .noneMatch(diagnostic -> diagnostic.severity() == Severity.ERROR)
        .isEmpty();
    assertThat(validation.summary()).isEqualTo("4 ranks, 4 nodes");
  }
}
