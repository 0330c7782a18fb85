package org.stage.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.stage.state.StateTexts.MIXED;
import static org.stage.state.StateTexts.texts;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Precision;
import org.stage.job.Optimizer;

class ParameterUpdateTest {
  private static List<String> actions(Optimizer.Kind kind, boolean offloaded, Precision precision) {
    ParameterUpdate update = new ParameterUpdate(kind, offloaded);
    return texts(update.actions(OptimizerCost.of(kind, precision, 10)));
  }

  @Test
  void adamIsOneKernel() {
    assertThat(actions(Optimizer.Kind.ADAM, false, MIXED))
        .containsExactly("UPDATE adam at UPDATE: adam 120 operations, 160 read, 140 written");
  }

  @Test
  void descentIsOneKernel() {
    assertThat(actions(Optimizer.Kind.SGD, false, MIXED))
        .containsExactly("UPDATE sgd at UPDATE: sgd 20 operations, 80 read, 60 written");
  }

  /** A master copy and two moments of 10 elements in 32 bits. */
  @Test
  void offloadedStatesComeBeforeTheUpdateAndGoBehindIt() {
    assertThat(actions(Optimizer.Kind.ADAM, true, MIXED))
        .containsExactly(
            "LOAD_STATES adam.reload at UPDATE: 120 from host",
            "UPDATE adam at UPDATE: adam 120 operations, 160 read, 140 written",
            "STORE_STATES adam.offload at UPDATE: 120 to host");
  }

  @Test
  void withoutStatesNothingIsMoved() {
    Precision single = new Precision(DataType.FP32, DataType.FP32, DataType.FP32);
    assertThat(actions(Optimizer.Kind.SGD, true, single))
        .containsExactly("UPDATE sgd at UPDATE: sgd 20 operations, 80 read, 40 written");
  }
}
