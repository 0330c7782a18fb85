package org.stage.api.diagnostic;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DiagnosticTest {
  @ParameterizedTest
  @CsvSource({
    "a.yaml, 6 is odd, Try 4., a.yaml: 6 is odd. Try 4.",
    "a.yaml, 6 is odd., Try 4., a.yaml: 6 is odd. Try 4.",
    "a.yaml, 6 is odd, '', a.yaml: 6 is odd",
    "'', 6 is odd, Try 4., 6 is odd. Try 4.",
    "'', 6 is odd, '', 6 is odd",
  })
  void sourceMessageAndRemedyMakeALine(String source, String message, String remedy, String line) {
    assertThat(Diagnostic.error(source, message, remedy)).hasToString(line);
  }

  @Test
  void lineBreaksBecomeBlanks() {
    assertThat(Diagnostic.error("a", "one\n  two\r\nthree\n", "Four\nfive."))
        .hasToString("a: one two three. Four five.");
  }

  @Test
  void theFactoriesSetTheSeverity() {
    assertThat(Diagnostic.error("s", "m", "r"))
        .isEqualTo(new Diagnostic(Severity.ERROR, "s", "m", "r"));
    assertThat(Diagnostic.warning("s", "m", "r"))
        .isEqualTo(new Diagnostic(Severity.WARNING, "s", "m", "r"));
  }

  @Test
  void exceptionsCarryTheirDiagnostic() {
    InputException input = new InputException("s", "m", "R.");
    assertThat(input).hasMessage("s: m. R.");
    assertThat(input.diagnostic()).isEqualTo(Diagnostic.error("s", "m", "R."));
    Diagnostic warning = Diagnostic.warning("s", "m", "R.");
    assertThat(new InputException(warning).diagnostic()).isSameAs(warning);
    Throwable cause = new IllegalStateException("full");
    WorkException work = new WorkException("s", "m", "R.", cause);
    assertThat(work).hasMessage("s: m. R.").hasCause(cause);
    assertThat(work.diagnostic()).isEqualTo(Diagnostic.error("s", "m", "R."));
    assertThat(new WorkException("s", "m", "R.")).hasNoCause();
  }
}
