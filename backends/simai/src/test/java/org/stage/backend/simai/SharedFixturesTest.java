package org.stage.backend.simai;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.plugin.Progress;
import org.stage.api.plugin.TraceValidator.Validation;
import org.stage.testkit.SharedData;
import org.stage.testkit.TestValidation;

/** Files that AICB wrote, where they are at hand. */
final class SharedFixturesTest {
  @Test
  void whatAicbWritesHasNoFaults() throws IOException {
    Path files = SharedData.get("data/simai");
    Validation validation = new SimaiValidator().validate(files, Progress.NONE);
    assertThat(validation.summary()).matches("\\d+ files, [\\d,]+ rows");
    assertThat(TestValidation.errors(new SimaiValidator(), files)).isEmpty();
  }

  @Test
  void ofTheEdgeCasesTheOneWithAFractionIsAFault() throws IOException {
    Path files = SharedData.get("data/simai/edge_cases");
    assertThat(TestValidation.errors(new SimaiValidator(), files))
        .extracting(Diagnostic::source)
        .containsExactly("float_time.txt, line 3");
  }
}
