package org.stage.api.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class DataTypeTest {
  @Test
  void bytesAreElementsTimesTheSizeOfOne() {
    assertThat(DataType.FP32.bytes(5)).isEqualTo(20);
    assertThat(DataType.FP8.bytes(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void bytesBeyond63BitsAreRefusedAndNotNegative() {
    assertThatThrownBy(() -> DataType.BF16.bytes(1L << 62)).isInstanceOf(ArithmeticException.class);
  }
}
