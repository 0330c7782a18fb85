package org.stage.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Precision;
import org.stage.api.workload.TensorType;
import org.stage.job.Optimizer;

class OptimizerCostTest {
  private static final Precision MIXED = new Precision(DataType.BF16, DataType.BF16, DataType.FP32);
  private static final Precision SINGLE =
      new Precision(DataType.FP32, DataType.FP32, DataType.FP32);

  private static final TensorType FLOATS = TensorType.vector(10, DataType.FP32);
  private static final TensorType HALVES = TensorType.vector(10, DataType.BF16);

  private static void check(
      OptimizerCost cost, long bytesRead, long bytesWritten, long stateBytes) {
    assertThat(cost.bytesRead()).isEqualTo(bytesRead);
    assertThat(cost.bytesWritten()).isEqualTo(bytesWritten);
    assertThat(cost.stateBytes()).isEqualTo(stateBytes);
    assertThat(cost.states().bytes()).isEqualTo(stateBytes);
  }

  @Test
  void mixedPrecisionAdamKeepsTwelveBytesOfStateAParameter() {
    // Reads a gradient, the master copy and two moments; writes the last three and the weight.
    OptimizerCost cost = OptimizerCost.of(Optimizer.Kind.ADAM, MIXED, 10);
    assertThat(cost.operator()).isEqualTo("adam");
    assertThat(cost.otherFlops()).isEqualTo(120);
    assertThat(cost.reads()).containsExactly(FLOATS, FLOATS, FLOATS, FLOATS);
    assertThat(cost.writes()).containsExactly(FLOATS, FLOATS, FLOATS, HALVES);
    check(cost, 10 * (4 + 4 + 8), 10 * (4 + 8 + 2), 10 * 12);
  }

  @Test
  void adamInSinglePrecisionNeedsNoMasterCopy() {
    OptimizerCost cost = OptimizerCost.of(Optimizer.Kind.ADAM, SINGLE, 10);
    assertThat(cost.writes()).containsExactly(FLOATS, FLOATS, FLOATS);
    check(cost, 160, 120, 80);
  }

  @Test
  void plainDescentHasNoMoments() {
    OptimizerCost mixed = OptimizerCost.of(Optimizer.Kind.SGD, MIXED, 10);
    assertThat(mixed.operator()).isEqualTo("sgd");
    assertThat(mixed.otherFlops()).isEqualTo(20);
    assertThat(mixed.reads()).containsExactly(FLOATS, FLOATS);
    assertThat(mixed.writes()).containsExactly(FLOATS, HALVES);
    check(mixed, 80, 60, 40);
    check(OptimizerCost.of(Optimizer.Kind.SGD, SINGLE, 10), 80, 40, 0);
  }

  @Test
  void statesBeyond63BitsAreRefusedAndNotNegative() {
    assertThatThrownBy(() -> OptimizerCost.of(Optimizer.Kind.ADAM, MIXED, 1L << 60))
        .isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> GradientNorm.ofModule(1L << 62, DataType.FP32, 1))
        .isInstanceOf(ArithmeticException.class);
  }
}
