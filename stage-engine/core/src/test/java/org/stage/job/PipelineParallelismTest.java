package org.stage.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.stage.schedule.OneForwardOneBackward;

class PipelineParallelismTest {
  @Test
  void theFirstStagesTakeWhatIsLeftOver() {
    assertThat(PipelineParallelism.even(32, 4)).containsExactly(8, 8, 8, 8);
    assertThat(PipelineParallelism.even(126, 4)).containsExactly(32, 32, 31, 31);
    assertThat(PipelineParallelism.even(3, 5)).containsExactly(1, 1, 1, 0, 0);
    assertThat(PipelineParallelism.even(7, 1)).containsExactly(7);
  }

  @Test
  void aStageBeginsWhereTheOnesBeforeItEnd() {
    PipelineParallelism three =
        new PipelineParallelism(new OneForwardOneBackward(), 1, List.of(3, 0, 2));
    assertThat(three.firstLayer(0)).isZero();
    assertThat(three.firstLayer(1)).isEqualTo(3);
    assertThat(three.firstLayer(2)).isEqualTo(3);
    assertThat(three.firstLayer(3)).isEqualTo(5);
  }
}
