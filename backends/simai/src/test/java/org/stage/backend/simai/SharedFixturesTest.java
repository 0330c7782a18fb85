package org.stage.backend.simai;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.Severity;
import org.stage.api.plugin.Progress;
import org.stage.api.plugin.TraceValidator.Validation;
import org.stage.testkit.SharedData;

/** Files that AICB wrote, where they are at hand. */
final class SharedFixturesTest {
  @Test
  void whatAicbWritesHasNoFaults() throws IOException {
    Validation validation = validate("");
    assertThat(validation.summary()).matches("\\d+ files, [\\d,]+ rows");
    assertThat(errors(validation)).isEmpty();
  }

  @Test
  void ofTheEdgeCasesTheOneWithAFractionIsAFault() throws IOException {
    assertThat(errors(validate("edge_cases")))
        .extracting(Diagnostic::source)
        .containsExactly("float_time.txt, line 3");
  }

  private static List<Diagnostic> errors(Validation validation) {
    return validation.diagnostics().stream()
        .filter(diagnostic -> diagnostic.severity() == Severity.ERROR)
        .toList();
  }

  private static Validation validate(String folder) throws IOException {
    Path found = SharedData.get("data/simai").resolve(folder);
    return new SimaiValidator().validate(found, Progress.NONE);
  }
}
