package org.stage.backend.genie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class DurationsTest {
  @Test
  void whatIsCutOffOneIsAddedToTheNext() {
    Durations durations = new Durations();

    assertThat(durations.next(1_600)).isEqualTo(1);
    assertThat(durations.next(1_600)).isEqualTo(2);
    assertThat(durations.next(1_800)).isEqualTo(2);
    assertThat(durations.surplus()).isCloseTo(0, within(1e-9));
  }

  @Test
  void nothingIsWaitedForLessThanAMicrosecondAndOthersMakeItGood() {
    Durations durations = new Durations();

    assertThat(durations.next(100)).isEqualTo(1);
    assertThat(durations.next(100)).isEqualTo(1);
    // 1.8 us too many so far
    assertThat(durations.next(5_000)).isEqualTo(3);
    assertThat(durations.surplus()).isCloseTo(-0.2, within(1e-9));
  }

  @Test
  void aStreamOfShortKernelsIsLongerThanItShouldBe() {
    Durations durations = new Durations();
    for (int i = 0; i < 10; i++) {
      durations.next(500);
    }

    assertThat(durations.total()).isEqualTo(10);
    assertThat(durations.surplus()).isCloseTo(5, within(1e-9));
  }
}
