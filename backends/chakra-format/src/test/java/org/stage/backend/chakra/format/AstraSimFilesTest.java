package org.stage.backend.chakra.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.stage.backend.chakra.format.AstraSimFiles.Dimension;
import org.stage.backend.chakra.format.AstraSimFiles.Topology;

final class AstraSimFilesTest {
  private static final AstraSimFiles NODE_AND_FABRIC =
      new AstraSimFiles(
          List.of(
              new Dimension(Topology.FULLY_CONNECTED, 8, 450, 250.5),
              new Dimension(Topology.RING, 4, 50, 2000)),
          989.4,
          3350,
          true,
          false);

  @Test
  void bandwidthIsInGibibytes() {
    // 450e9 / 2^30 = 419.0951..., 50e9 / 2^30 = 46.5661...
    assertThat(NODE_AND_FABRIC.networkYaml())
        .isEqualTo(
            """
            topology: [ FullyConnected, Ring ]
            npus_count: [ 8, 4 ]
            bandwidth: [ 419.095159, 46.566129 ]  # GiB/s
            latency: [ 250.5, 2000.0 ]  # ns
            """);
  }

  @Test
  void theSystemNamesAnAlgorithmForEachDimensionAndSwitchesAsNumbers() {
    assertThat(NODE_AND_FABRIC.systemJson())
        .contains(
            "\"all-reduce-implementation\": [ \"direct\", \"ring\" ]",
            "\"all-to-all-implementation\": [ \"direct\", \"ring\" ]",
            "\"peak-perf\": 989.4,",
            "\"local-mem-bw\": 3350.0,",
            "\"roofline-enabled\": 1,",
            "\"trace-enabled\": 1,",
            "\"track-local-mem\": 0\n")
        .doesNotContain("true", "false");
  }

  /** A switch there forwards whole chunks over two links: of twice 50 GB/s, they take as long. */
  @Test
  void theFlatNetworkIsOneSwitchOfTwiceTheBandwidthOfTheSlowestDimension() {
    AstraSimFiles flat = NODE_AND_FABRIC.flattened();
    assertThat(flat.network()).containsExactly(new Dimension(Topology.SWITCH, 32, 100, 2000));
    assertThat(flat.systemJson())
        .contains(
            "\"all-reduce-implementation\": [ \"ring\" ]",
            "\"all-to-all-implementation\": [ \"direct1\" ]");
  }

  @Test
  void whereAllAreConnectedTheSlowestDimensionIsThatOfTheLeastSumOfLinks() {
    AstraSimFiles links =
        new AstraSimFiles(
            List.of(
                new Dimension(Topology.FULLY_CONNECTED, 8, 10, 1),
                new Dimension(Topology.SWITCH, 2, 60, 1)),
            1,
            1,
            /* trace= */ false,
            /* trackMemory= */ false);
    assertThat(links.flattened().network())
        .containsExactly(new Dimension(Topology.SWITCH, 16, 120, 1));
  }

  @Test
  void congestionAwareTakesOneDimensionButNoRingOfTwoAndSwitchesByFasterLinks() {
    assertThat(NODE_AND_FABRIC.suitsCongestionAware()).isFalse();
    assertThat(oneDimension(Topology.RING, 2).suitsCongestionAware()).isFalse();
    assertThat(oneDimension(Topology.RING, 3).suitsCongestionAware()).isTrue();
    assertThat(oneDimension(Topology.SWITCH, 2).suitsCongestionAware()).isFalse();
    assertThat(oneDimension(Topology.FULLY_CONNECTED, 2).suitsCongestionAware()).isTrue();
  }

  private static AstraSimFiles oneDimension(Topology topology, int size) {
    return new AstraSimFiles(List.of(new Dimension(topology, size, 1, 1)), 1, 1, false, false);
  }
}
