package org.stage.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.stage.state.StateTexts.states;
import static org.stage.state.StateTexts.text;
import static org.stage.state.StateTexts.zero;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Group;

/** A table of 10 elements beside a parameter of 3, on 4 data-parallel ranks. */
class TiedTableTest {
  private static String reduction(int stage) {
    Group ends = new Group.Members("pp", List.of(0, 3));
    return text(TiedTable.reduction(states(zero(stage)), "w", ends, DataType.FP32));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void wholeGradientsOfTheTableAreAddedUp(int stage) {
    assertThat(reduction(stage))
        .isEqualTo(
            "REDUCE tied.all-reduce at AFTER_REDUCTION: all-reduce of 10 fp32 over pp[0, 3] of w");
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void whereOnlyShardsOutliveAMicroBatchTheTablesAreExchanged(int stage) {
    assertThat(reduction(stage))
        .isEqualTo(
            "REDUCE_SHARD tied.all-reduce at AFTER_REDUCTION: "
                + "all-reduce of 3 fp32 over pp[0, 3] in parameters");
  }
}
