package org.stage.sim.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Hardware;
import org.stage.api.workload.Ids;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Node;
import org.stage.api.workload.NodeHeader;
import org.stage.api.workload.Phase;

class RooflineTest {
  /** 100 and 10 TFLOP/s are 100,000 and 10,000 FLOPs a nanosecond; 2000 GB/s are 2000 bytes. */
  private static final Roofline ROOFLINE = new Roofline(100, 10, 2000);

  @Test
  void manyProductsAreBoundByTheMatrixUnits() {
    assertThat(ROOFLINE.nanoseconds(kernel(50_000_000, 0, 2000, 0))).isEqualTo(500);
  }

  @Test
  void productsOfEightBitsRunAtAPeakOfTheirOwn() {
    Roofline roofline = new Roofline(100, 200, 10, 2000);
    assertThat(roofline.nanoseconds(kernel("einsum", 50_000_000, 0, 1, 1))).isEqualTo(500);
    assertThat(roofline.nanoseconds(kernel("scaled_einsum", 50_000_000, 0, 1, 1))).isEqualTo(250);
  }

  @Test
  void otherOperationsRunOnTheVectorUnits() {
    assertThat(ROOFLINE.nanoseconds(kernel(0, 50_000_000, 2000, 0))).isEqualTo(5000);
  }

  @Test
  void fewOperationsAreBoundByTheBytesReadAndWritten() {
    assertThat(ROOFLINE.nanoseconds(kernel(1, 1, 6000, 3000))).isEqualTo(4.5);
  }

  @Test
  void theThreeProceedSideBySide() {
    assertThat(ROOFLINE.nanoseconds(kernel(300_000, 40_000, 10_000, 0))).isEqualTo(5);
  }

  @Test
  void bytesBeyond63BitsTogetherDoNotOverflow() {
    assertThat(ROOFLINE.nanoseconds(kernel(0, 0, Long.MAX_VALUE, Long.MAX_VALUE)))
        .isCloseTo(0x1p64 / 2000, within(1e6));
  }

  @Test
  void nothingTakesNoTime() {
    assertThat(ROOFLINE.nanoseconds(kernel(0, 0, 0, 0))).isZero();
  }

  @Test
  void productsRunAtThePeakOfTheirType() {
    Hardware device = hardware(Map.of("bf16", 989.0, "fp8", 1979.0, "fp32", 67.0));
    assertThat(Roofline.of(device, DataType.BF16)).contains(new Roofline(989, 1979, 67, 3350));
    assertThat(Roofline.of(device, DataType.FP8)).contains(new Roofline(1979, 67, 3350));
    assertThat(Roofline.of(device, DataType.FP32)).contains(new Roofline(67, 1979, 67, 3350));
  }

  @Test
  void withoutThePeakOf32BitFloatsThatOfTheProductsStandsIn() {
    assertThat(Roofline.of(hardware(Map.of("bf16", 989.0)), DataType.BF16))
        .contains(new Roofline(989, 989, 3350));
  }

  @Test
  void aTypeOfUnknownPeakHasNone() {
    assertThat(Roofline.of(hardware(Map.of("bf16", 989.0)), DataType.FP8)).isEmpty();
  }

  @Test
  void aDeviceThatComputesNothingIsRefused() {
    assertThatThrownBy(() -> new Roofline(0, 67, 3350))
        .hasMessage("a device of 0.0 and 67.0 TFLOP/s and 3350.0 GB/s computes nothing");
    assertThatThrownBy(() -> new Roofline(989, 67, Double.NaN)).hasMessageContaining("NaN GB/s");
  }

  private static Hardware hardware(Map<String, Double> peaks) {
    return new Hardware("device", peaks, 80, 3350);
  }

  private static Kernel kernel(long flops, long other, long read, long written) {
    return kernel("einsum", flops, other, read, written);
  }

  private static Kernel kernel(String operator, long flops, long other, long read, long written) {
    NodeHeader header =
        new NodeHeader(0, "k", Phase.FORWARD, Ids.NONE, Ids.NONE, Ids.NONE, Ids.NONE);
    return Kernel.of(
        new Node.Compute(header, operator, MatrixShape.NONE, flops, other, read, written));
  }
}
