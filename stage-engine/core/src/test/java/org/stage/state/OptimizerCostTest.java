package org.stage.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Precision;
import org.stage.job.Optimizer;

class OptimizerCostTest {
  private static final Precision MIXED = new Precision(DataType.BF16, DataType.BF16, DataType.FP32);
  private static final Precision SINGLE =
      new Precision(DataType.FP32, DataType.FP32, DataType.FP32);

  @Test
  void mixedPrecisionAdamKeepsTwelveBytesOfStateAParameter() {
    // Reads a gradient, the master copy and two moments; writes the last three and the weight.
    assertThat(OptimizerCost.of(Optimizer.Kind.ADAM, MIXED, 10))
        .isEqualTo(new OptimizerCost("adam", 120, 10 * (4 + 4 + 8), 10 * (4 + 8 + 2), 10 * 12));
  }

  @Test
  void adamInSinglePrecisionNeedsNoMasterCopy() {
    assertThat(OptimizerCost.of(Optimizer.Kind.ADAM, SINGLE, 10))
        .isEqualTo(new OptimizerCost("adam", 120, 160, 120, 80));
  }

  @Test
  void plainDescentHasNoMoments() {
    assertThat(OptimizerCost.of(Optimizer.Kind.SGD, MIXED, 10))
        .isEqualTo(new OptimizerCost("sgd", 20, 80, 60, 40));
    assertThat(OptimizerCost.of(Optimizer.Kind.SGD, SINGLE, 10))
        .isEqualTo(new OptimizerCost("sgd", 20, 80, 40, 0));
  }

  @Test
  void statesBeyond63BitsAreRefusedAndNotNegative() {
    assertThatThrownBy(() -> OptimizerCost.of(Optimizer.Kind.ADAM, MIXED, 1L << 60))
        .isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> GradientNorm.ofModule(1L << 62, DataType.FP32))
        .isInstanceOf(ArithmeticException.class);
  }
}
