package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.stage.api.workload.Collectives;
import org.stage.api.workload.NetworkDimension;
import org.stage.workloadfile.SharedNetwork;

class SharedNetworkTest {
  private static final String TINY =
      """
      model: {preset: llama-3.2-1b, layers: 2}
      training: {global_batch: 4, seq: 128}
      """;

  @Test
  void theNetworkOfTheFirstFileServesAllIfItIsLargeEnough() {
    String ring =
        "network=[{topology: ring, size: 2, gb_per_s: 100, latency_ns: 10},"
            + " {topology: switch, size: %d, gb_per_s: 25, latency_ns: 500}]";
    var fits = Jobs.shared(TINY, "mesh.tp=2", ring.formatted(3));
    assertThat(SharedNetwork.of(fits, 6))
        .isEqualTo(new SharedNetwork(fits.platform().network(), false));

    var small = Jobs.shared(TINY, "mesh.tp=2", ring.formatted(4));
    assertThat(SharedNetwork.of(small, 6))
        .isEqualTo(
            new SharedNetwork(
                List.of(new NetworkDimension(NetworkDimension.Topology.SWITCH, 6, 25, 500)), true));
  }

  @Test
  void hardwareThatIsNamedBringsTheNetworkInWhichItIsSold() {
    var first = Jobs.shared(TINY, "mesh.tp=2", "hardware=h100");

    SharedNetwork network = SharedNetwork.of(first, 16);

    assertThat(network.replaced()).isFalse();
    assertThat(network.dimensions()).extracting(NetworkDimension::size).containsExactly(8, 2);
    assertThat(SharedNetwork.of(Jobs.shared(TINY), 16).dimensions()).isEmpty();
  }

  @Test
  void theWorkloadSaysHowCollectivesGoThroughTheNetwork() {
    assertThat(Jobs.job(TINY).workload().platform().collectives()).isEqualTo(Collectives.PIPELINED);
    assertThat(Jobs.job(TINY, "collectives=serial").workload().platform().collectives())
        .isEqualTo(Collectives.SERIAL);
  }
}
