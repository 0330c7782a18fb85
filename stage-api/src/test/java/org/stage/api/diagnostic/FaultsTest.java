package org.stage.api.diagnostic;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FaultsTest {
  @Test
  void whatIsBeyondTheLimitIsCounted() {
    Faults faults = new Faults(2);
    faults.warning("a", "first", "");
    faults.error("b", "second", "");
    faults.error("c", "third", "");
    faults.error("d", "fourth", "");

    assertThat(faults.errors()).isEqualTo(3);
    assertThat(faults.all())
        .extracting(Diagnostic::toString)
        .containsExactly(
            "a: first", "b: second", "2 more faults were found. Mend the first ones, try again.");
  }

  @Test
  void withinTheLimitNothingIsAdded() {
    Faults faults = new Faults(1);
    faults.error("a", "only", "");

    assertThat(faults.all()).extracting(Diagnostic::message).containsExactly("only");
  }
}
