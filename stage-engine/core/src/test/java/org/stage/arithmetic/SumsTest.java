package org.stage.arithmetic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SumsTest {
  @Test
  void aSumIsThatOfItsNumbers() {
    assertThat(Sums.of(LongStream.of(3, -1, 40))).isEqualTo(42);
    assertThat(Sums.of(List.of(3L, 4L))).isEqualTo(7);
    assertThat(Sums.of(LongStream.empty())).isZero();
  }

  @Test
  void aSumBeyond63BitsIsRefusedAndNotNegative() {
    assertThatThrownBy(() -> Sums.of(LongStream.of(Long.MAX_VALUE, 1)))
        .isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> Sums.of(List.of(Long.MAX_VALUE, 1L)))
        .isInstanceOf(ArithmeticException.class);
  }
}
