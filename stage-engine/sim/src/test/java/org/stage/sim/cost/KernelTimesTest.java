package org.stage.sim.cost;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Details;
import org.stage.api.workload.Hardware;
import org.stage.api.workload.Ids;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Node;
import org.stage.api.workload.NodeHeader;
import org.stage.api.workload.Phase;

final class KernelTimesTest {
  private static final KernelTimes TIMES =
      new KernelTimes(Optional.of(new Roofline(0.01, 0.01, 1)), 1);

  @Test
  void whatWasMeasuredGoesBeforeTheModelOfTheDevice() {
    assertThat(TIMES.nanoseconds(kernel(Details.ofDuration(1234)))).hasValue(1234);
    // 20,000 FLOPs at 10 a nanosecond
    assertThat(TIMES.nanoseconds(kernel(Details.NONE))).hasValue(2000);
  }

  @Test
  void aSlowDeviceTakesLongerByItsModelAndByMeasurement() {
    KernelTimes slow = TIMES.slowedBy(1.5);
    assertThat(slow.nanoseconds(kernel(Details.ofDuration(1234)))).hasValue(1851);
    assertThat(slow.nanoseconds(kernel(Details.NONE))).hasValue(3000);
    assertThat(slow.slowedBy(2).nanoseconds(kernel(Details.NONE))).hasValue(6000);
  }

  @Test
  void picosecondsAreSlowedDownLast() {
    // 3 ns x 1.2 come to 3599.9999999999995 ps in the other order
    KernelTimes slow = TIMES.slowedBy(1.2);
    assertThat(slow.picoseconds(kernel(Details.ofDuration(3)))).hasValue(3600);
    assertThat(slow.picoseconds(kernel(Details.NONE))).hasValue(2_400_000);
  }

  @Test
  void ofAnUnknownDeviceOnlyWhatWasMeasuredIsKnown() {
    KernelTimes times = KernelTimes.of(Optional.empty(), DataType.BF16);
    assertThat(times.picoseconds(kernel(Details.ofDuration(7)))).hasValue(7000);
    assertThat(times.nanoseconds(kernel(Details.NONE))).isEmpty();
    assertThat(times.picoseconds(kernel(Details.NONE))).isEmpty();
  }

  @Test
  void aJobHasThoseOfItsDeviceAndActivations() {
    Hardware device = new Hardware("device", Map.of("bf16", 989.0, "fp32", 67.0), 80, 3350);
    assertThat(KernelTimes.of(Optional.of(device), DataType.BF16))
        .isEqualTo(new KernelTimes(Optional.of(new Roofline(989, 67, 3350)), 1));
    assertThat(KernelTimes.of(Optional.of(device), DataType.FP8).device()).isEmpty();
  }

  private static Node.Compute kernel(Details details) {
    NodeHeader header =
        new NodeHeader(0, "a", Phase.FORWARD, Ids.NONE, Ids.NONE, Ids.NONE, Ids.NONE).with(details);
    return new Node.Compute(header, "add", MatrixShape.NONE, 0, 20_000, 500, 500);
  }
}
