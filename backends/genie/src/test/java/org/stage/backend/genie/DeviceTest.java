package org.stage.backend.genie;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.stage.api.workload.Details;
import org.stage.api.workload.Ids;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Node;
import org.stage.api.workload.Phase;

final class DeviceTest {
  @Test
  void whatWasMeasuredGoesBeforeTheRoofline() {
    Device device = new Device(0.01, 1);

    assertThat(device.nanoseconds(kernel(Details.ofDuration(1234)))).isEqualTo(1234);
    // 20,000 FLOPs at 10 a nanosecond
    assertThat(device.nanoseconds(kernel(Details.NONE))).isEqualTo(2000);
  }

  @Test
  void aSlowDeviceTakesLongerByTheRooflineAndByMeasurement() {
    Device slow = new Device(0.01, 1).slowedBy(1.5);

    assertThat(slow.nanoseconds(kernel(Details.ofDuration(1234)))).isEqualTo(1851);
    assertThat(slow.nanoseconds(kernel(Details.NONE))).isEqualTo(3000);
  }

  private static Node.Compute kernel(Details details) {
    Node.Header header =
        new Node.Header(0, "a", Phase.FORWARD, Ids.NONE, Ids.NONE, Ids.NONE, Ids.NONE, details);
    return new Node.Compute(header, "add", MatrixShape.NONE, 0, 20_000, 500, 500);
  }
}
