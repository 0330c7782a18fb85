package org.stage.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.stage.state.StateTexts.text;
import static org.stage.state.StateTexts.texts;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.MeshAxis;

class GradientNormTest {
  private static final Mesh ONE = new Mesh(List.of(new MeshAxis("tp", 1)));
  private static final Mesh FOUR =
      new Mesh(List.of(new MeshAxis("tp", 2), new MeshAxis("dp", 1), new MeshAxis("pp", 2)));
  private static final String SUM =
      "NORM_SUM grad_norm.sum at NORM: add 2 operations, 12 read, 4 written";
  private static final String REDUCE =
      "NORM_REDUCE grad_norm.all-reduce at NORM: all-reduce of 1 fp32 over tp(1)2+pp(1)2";

  /** A square and a sum an element; one scalar in 32 bits is left. */
  @Test
  void aModuleSquaresAndAddsUpItsGradients() {
    assertThat(text(GradientNorm.ofModule(10, DataType.BF16, 1)))
        .isEqualTo("SQUARE_SUM grad_norm at NORM: square_sum 20 operations, 20 read, 4 written");
  }

  @Test
  void severalModulesAreAddedUpThenAllRanks() {
    assertThat(texts(GradientNorm.ofStage(3, FOUR))).containsExactly(SUM, REDUCE);
  }

  @Test
  void oneModuleIsItsOwnSum() {
    assertThat(texts(GradientNorm.ofStage(1, FOUR))).containsExactly(REDUCE);
  }

  @Test
  void tensorsApartAreSummedOverTheRanksOfAStageThenAddedUpThenOverStages() {
    assertThat(texts(GradientNorm.byTensor(3, FOUR)))
        .containsExactly(
            "NORM_REDUCE grad_norm.tensors.all-reduce at NORM: all-reduce of 3 fp32 over tp(1)2",
            SUM,
            "NORM_REDUCE grad_norm.all-reduce at NORM: all-reduce of 1 fp32 over pp(1)2");
    assertThat(texts(GradientNorm.byTensor(3, ONE))).containsExactly(SUM);
  }

  @Test
  void oneDeviceReducesNothing() {
    assertThat(texts(GradientNorm.ofStage(3, ONE))).containsExactly(SUM);
    assertThat(GradientNorm.ofStage(1, ONE)).isEmpty();
  }

  @Test
  void operationsBeyond63BitsAreRefused() {
    assertThatThrownBy(() -> GradientNorm.ofModule(1L << 62, DataType.FP8, 1))
        .isInstanceOf(ArithmeticException.class);
  }
}
