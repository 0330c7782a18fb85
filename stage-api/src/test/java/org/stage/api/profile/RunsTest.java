package org.stage.api.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RunsTest {
  private static Runs lasting(long... ns) {
    return Runs.of(new long[ns.length], ns, new int[ns.length], new long[ns.length]);
  }

  @Test
  void allDurationsTogetherAreTheirSum() {
    assertThat(lasting(3, 4).totalNs()).isEqualTo(7);
    assertThat(lasting().totalNs()).isZero();
  }

  @Test
  void durationsBeyond63BitsAreRefusedAndNotNegative() {
    Runs runs = lasting(Long.MAX_VALUE, 1);
    assertThatThrownBy(runs::totalNs).isInstanceOf(ArithmeticException.class);
  }
}
