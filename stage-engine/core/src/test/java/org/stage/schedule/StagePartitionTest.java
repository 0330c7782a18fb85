package org.stage.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class StagePartitionTest {
  @Test
  void theFirstStagesTakeWhatIsLeftOver() {
    assertThat(StagePartition.even(32, 4)).containsExactly(8, 8, 8, 8);
    assertThat(StagePartition.even(126, 4)).containsExactly(32, 32, 31, 31);
    assertThat(StagePartition.even(3, 5)).containsExactly(1, 1, 1, 0, 0);
    assertThat(StagePartition.even(7, 1)).containsExactly(7);
  }

  @Test
  void aStageBeginsWhereTheOnesBeforeItEnd() {
    List<Integer> layers = List.of(3, 0, 2);
    assertThat(StagePartition.firstLayer(layers, 0)).isZero();
    assertThat(StagePartition.firstLayer(layers, 1)).isEqualTo(3);
    assertThat(StagePartition.firstLayer(layers, 2)).isEqualTo(3);
    assertThat(StagePartition.firstLayer(layers, 3)).isEqualTo(5);
  }
}
