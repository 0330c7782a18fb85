package org.stage.api.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RooflineTest {
  /** 100 and 10 TFLOP/s are 100,000 and 10,000 FLOPs a nanosecond; 2000 GB/s are 2000 bytes. */
  private static final Roofline ROOFLINE = new Roofline(100, 10, 2000);

  @Test
  void manyProductsAreBoundByTheMatrixUnits() {
    assertThat(ROOFLINE.nanoseconds(kernel(50_000_000, 0, 2000, 0))).isEqualTo(500);
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
  void aJobHasThatOfItsDeviceAndActivations() {
    Hardware device = hardware(Map.of("bf16", 989.0, "fp32", 67.0));
    assertThat(Roofline.of(job(Optional.of(device)))).contains(new Roofline(989, 67, 3350));
    assertThat(Roofline.of(job(Optional.empty()))).isEmpty();
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

  private static Workload job(Optional<Hardware> device) {
    Precision precision = new Precision(DataType.FP32, DataType.BF16, DataType.FP32);
    return new Workload("w", "m", new Mesh(List.of()), precision, device, List.of(), List.of());
  }

  private static Node.Compute kernel(long flops, long other, long read, long written) {
    Node.Header header =
        new Node.Header(0, "k", Phase.FORWARD, Ids.NONE, Ids.NONE, Ids.NONE, Ids.NONE);
    return new Node.Compute(header, "einsum", MatrixShape.NONE, flops, other, read, written);
  }
}
