package org.stage.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Precision;

class ZeroTest {
  private static final Precision MIXED = new Precision(DataType.BF16, DataType.BF16, DataType.FP32);
  private static final Zero FOUR_SHARDS = new Zero(1, 4, 4, 0, MIXED);

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
