package org.stage.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.stage.api.workload.Phase;

class MomentTest {
  @Test
  void eachMomentIsPartOfAPhase() {
    Map<Phase, String> moments = new EnumMap<>(Phase.class);
    for (Moment moment : Moment.values()) {
      moments.merge(moment.phase(), moment.name(), (all, next) -> all + " " + next);
    }
    assertThat(moments)
        .containsExactly(
            Map.entry(Phase.FORWARD, "BEFORE_FIRST_FORWARD BEFORE_FORWARD FORWARD AFTER_FORWARD"),
            Map.entry(
                Phase.BACKWARD,
                "BEFORE_BACKWARD INPUT_GRADIENTS WEIGHT_GRADIENTS AFTER_BACKWARD"
                    + " AFTER_BACKWARD_ALONE AFTER_LATER_BACKWARD AFTER_LAST_BACKWARD"
                    + " AFTER_LAST_PASS AFTER_PASSES AFTER_REDUCTION"),
            Map.entry(Phase.RECOMPUTE, "RECOMPUTATION"),
            Map.entry(Phase.OPTIMIZER, "NORM UPDATE AFTER_UPDATE"));
  }

  @Test
  void passesComeWithEachMicroBatchAndAllElseOnce() {
    for (Moment moment : Moment.values()) {
      boolean ends =
          moment == Moment.BEFORE_FIRST_FORWARD
              || moment.compareTo(Moment.AFTER_LAST_BACKWARD) >= 0;
      long later = moment == Moment.AFTER_LATER_BACKWARD ? 4 : 5;
      assertThat(moment.times(5)).as(moment.name()).isEqualTo(ends ? 1 : later);
      assertThat(moment.isOfMicroBatches()).as(moment.name()).isEqualTo(!ends);
    }
  }

  @Test
  void nothingIsAddedToTheOnlyMicroBatch() {
    assertThat(Moment.AFTER_LATER_BACKWARD.times(1)).isZero();
    assertThat(Moment.AFTER_BACKWARD.times(1)).isEqualTo(1);
  }

  /** Of micro-batches 4, 5 and 6. */
  @Test
  void shardsAreAddedUpFromTheSecondMicroBatchOnAndReducedAtTheLast() {
    assertThat(comesWith(Moment.AFTER_LATER_BACKWARD)).containsExactly(false, true, true);
    assertThat(comesWith(Moment.AFTER_LAST_BACKWARD)).containsExactly(false, false, true);
    assertThat(comesWith(Moment.BEFORE_FIRST_FORWARD)).containsExactly(true, false, false);
    assertThat(comesWith(Moment.AFTER_BACKWARD)).containsExactly(true, true, true);
    assertThat(comesWith(Moment.FORWARD)).containsExactly(true, true, true);
  }

  private static List<Boolean> comesWith(Moment moment) {
    return Arrays.asList(4, 5, 6).stream().map(each -> moment.comesWith(each, 4, 6)).toList();
  }
}
