package org.stage.workloadfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.api.workload.NetworkDimension;

class HardwarePresetsTest {
  @Test
  void aDeviceSaysItsNumbersAndWhereTheyComeFrom() {
    assertThat(HardwarePresets.all())
        .extracting(preset -> preset.hardware().name())
        .containsExactly("a100", "b200", "h100", "h200", "mi300x", "tpu-v4", "tpu-v5e", "tpu-v5p");
    assertThat(HardwarePresets.all())
        .allSatisfy(
            preset -> {
              assertThat(preset.hardware().peakTflops()).containsKey("bf16");
              assertThat(preset.hardware().memoryGb()).isPositive();
              assertThat(preset.hardware().memoryGbPerS()).isPositive();
              assertThat(preset.description()).isNotEmpty();
              assertThat(preset.source()).isNotEmpty();
            });
  }

  /** Mebibytes that nvidia-smi and rocm-smi show; of others gibibytes of the data sheet. */
  @ParameterizedTest
  @CsvSource({
    "h100, 81559",
    "a100, 81920",
    "h200, 143771",
    "b200, 183359",
    "mi300x, 196592",
    "tpu-v4, 32768",
    "tpu-v5e, 16384",
    "tpu-v5p, 97280"
  })
  void aDeviceHasTheMemoryThatItReports(String name, long mebibytes) {
    assertThat(HardwarePresets.find(name).hardware().memoryGb() * 1e9)
        .isCloseTo(mebibytes * 1048576.0, within(0.0005 * mebibytes * 1048576));
  }

  /**
   * Sizes and bandwidths: full nodes, then the fabric; one slow switch where nodes are not full.
   */
  @ParameterizedTest
  @CsvSource({
    "h100, 1, ''",
    "h100, 4, 4@450",
    "h100, 8, 8@450",
    "h100, 12, 12@50",
    "h100, 16, 8@450 2@50",
    "h100, 16384, 8@450 2048@50",
    "mi300x, 64, 8@448 8@50",
    "tpu-v4, 8, 4@100 2@100",
    "tpu-v4, 24, 24@100",
    "tpu-v4, 128, 4@100 4@100 8@100",
    "tpu-v5e, 256, 16@100 16@100"
  })
  void aNetworkIsAsSoldWhereNodesAreFull(String name, int devices, String expected) {
    StringBuilder network = new StringBuilder();
    for (NetworkDimension each : HardwarePresets.find(name).network(devices)) {
      network.append(each.size()).append('@').append((int) each.gbPerS()).append(' ');
    }
    assertThat(network.toString().trim()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"a100, 0.8, 1", "b200, 0.8, 0.95", "h100, 0.8, 0.95", "h200, 0.8, 0.95"})
  void transfersReachAShareOfNvlinkAndOfNdr(String name, double node, double fabric) {
    assertThat(HardwarePresets.find(name).network(64))
        .extracting(NetworkDimension::reached)
        .containsExactly(node, fabric);
    // not full nodes: one switch, as fast as the slowest link
    assertThat(HardwarePresets.find(name).network(12))
        .extracting(NetworkDimension::reached)
        .containsExactly(fabric);
  }
}
