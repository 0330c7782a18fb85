package org.stage.analyze;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MemoryTest {
  @Test
  void thePeakIsTheSumOfTheParts() {
    assertThat(new Memory(1, 2, 4, 8, 16).with(32, 64).peak()).isEqualTo(127);
  }

  @Test
  void bytesBeyond63BitsAreRefusedAndNotNegative() {
    Memory half = new Memory(1L << 62, 0, 0, 0, 1L << 62);
    assertThatThrownBy(half::peak).isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> half.with(0, 1L << 62)).isInstanceOf(ArithmeticException.class);
  }
}
