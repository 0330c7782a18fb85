package org.stage.instantiate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ZeroTest {
  private static final Zero FOUR_SHARDS = new Zero(1, 4, 4, 0);

  @Test
  void aShardIsPaddedToTheSizeOfTheOthers() {
    assertThat(FOUR_SHARDS.shard(0)).isZero();
    assertThat(FOUR_SHARDS.shard(8)).isEqualTo(2);
    assertThat(FOUR_SHARDS.shard(9)).isEqualTo(3);
  }

  @Test
  void elementsBeyond63BitsAreRefusedAndNotNegative() {
    assertThatThrownBy(() -> FOUR_SHARDS.shard(Long.MAX_VALUE))
        .isInstanceOf(ArithmeticException.class);
  }
}
