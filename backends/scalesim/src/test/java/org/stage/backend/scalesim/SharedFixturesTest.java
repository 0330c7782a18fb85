package org.stage.backend.scalesim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.stage.api.diagnostic.Severity;
import org.stage.api.plugin.Progress;
import org.stage.api.plugin.TraceValidator.Validation;
import org.stage.testkit.SharedData;

/** Files that both versions of the simulator loaded, where they are at hand. */
final class SharedFixturesTest {
  @Test
  void filesThatTheSimulatorsLoadedHaveNoFault() throws IOException {
    Path found = SharedData.get("data/scalesim");

    Validation validation = new ScaleSimValidator().validate(found, Progress.NONE);

    assertThat(validation.diagnostics())
        .noneMatch(diagnostic -> diagnostic.severity() == Severity.ERROR)
        .isNotEmpty();
    assertThat(validation.summary()).startsWith("5 topologies");
  }
}
