package org.stage.api.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class TensorTypeTest {
  @Test
  void elementsAreTheProductOfDimensionsAndBytesFollow() {
    TensorType type = new TensorType(List.of(4L, 128L), DataType.BF16);
    assertThat(type.elements()).isEqualTo(512);
    assertThat(type.bytes()).isEqualTo(1024);
    assertThat(type).hasToString("4x128xbf16");
    assertThat(new TensorValue("x", type).bytes()).isEqualTo(1024);
  }

  @Test
  void aScalarHasOneElementAndNoDimensions() {
    TensorType scalar = new TensorType(List.of(), DataType.FP32);
    assertThat(scalar.elements()).isEqualTo(1);
    assertThat(scalar.bytes()).isEqualTo(4);
    assertThat(scalar).hasToString("fp32");
  }

  @Test
  void bytesOfWhichNoMoreIsKnownAreAVectorOfThem() {
    assertThat(TensorType.ofBytes(7)).isEqualTo(TensorType.vector(7, DataType.BYTE));
    assertThat(new TensorValue("x", 7).type()).isEqualTo(TensorType.ofBytes(7));
  }

  @Test
  void whatIsNegativeOrDoesNotFitIsRefused() {
    assertThatThrownBy(() -> TensorType.vector(-1, DataType.FP32))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a tensor of [-1] has a negative dimension");
    TensorType huge = new TensorType(List.of(1L << 40, 1L << 40), DataType.FP8);
    assertThatThrownBy(huge::elements).isInstanceOf(ArithmeticException.class);
  }
}
