package org.stage.backend.genie;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.stage.api.workload.Details;
import org.stage.api.workload.Ids;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Node;
import org.stage.api.workload.Phase;
import org.stage.api.workload.Roofline;

final class DeviceTest {
  @Test
  void whatWasMeasuredGoesBeforeTheRoofline() {
    Device device = new Device(new Roofline(0.01, 0.01, 1), 1);

    assertThat(device.nanoseconds(kernel(Details.ofDuration(1234)))).isEqualTo(1234);
    // 20,000 FLOPs at 10 a nanosecond
    assertThat(device.nanoseconds(kernel(Details.NONE))).isEqualTo(2000);
  }

  @Test
  void aSlowDeviceTakesLongerByTheRooflineAndByMeasurement() {
    Device slow = new Device(new Roofline(0.01, 0.01, 1), 1).slowedBy(1.5);

    assertThat(slow.nanoseconds(kernel(Details.ofDuration(1234)))).isEqualTo(1851);
    assertThat(slow.nanoseconds(kernel(Details.NONE))).isEqualTo(3000);
  }

  @Test
  void productsOfEightBitsRunAtAPeakOfTheirOwn() {
    Device device = new Device(new Roofline(0.01, 0.02, 1, 1e6), 1);

    assertThat(device.nanoseconds(product("einsum"))).isEqualTo(2000);
    assertThat(device.nanoseconds(product("scaled_einsum"))).isEqualTo(1000);
  }

  private static Node.Compute product(String operator) {
    Node.Header header = kernel(Details.NONE).header();
    return new Node.Compute(header, operator, MatrixShape.NONE, 20_000, 0, 1, 1);
  }

  private static Node.Compute kernel(Details details) {
    Node.Header header =
        new Node.Header(0, "a", Phase.FORWARD, Ids.NONE, Ids.NONE, Ids.NONE, Ids.NONE, details);
    return new Node.Compute(header, "add", MatrixShape.NONE, 0, 20_000, 500, 500);
  }
}
