package org.stage.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class FlatBufferTest {
  @Test
  void aShardIsPaddedToTheSizeOfTheOthers() {
    assertThat(FlatBuffer.shard(0, 4)).isZero();
    assertThat(FlatBuffer.shard(8, 4)).isEqualTo(2);
    assertThat(FlatBuffer.shard(9, 4)).isEqualTo(3);
  }

  @Test
  void elementsBeyond63BitsAreRefusedAndNotNegative() {
    assertThatThrownBy(() -> FlatBuffer.shard(Long.MAX_VALUE, 4))
        .isInstanceOf(ArithmeticException.class);
  }
}
