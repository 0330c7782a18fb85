package org.stage.sim.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.stage.api.plugin.NodeKind;
import org.stage.api.workload.NetworkDimension;
import org.stage.api.workload.NetworkDimension.Topology;

class RingNetworkTest {
  /** Nodes of 8 devices at 400 bytes a nanosecond, and a fabric of 4 nodes at 50. */
  private static final RingNetwork NETWORK =
      new RingNetwork(
          List.of(
              new NetworkDimension(Topology.SWITCH, 8, 400, 500),
              new NetworkDimension(Topology.SWITCH, 4, 50, 2000)));

  @Test
  void anAllReduceSendsEachPartTwiceAroundTheRing() {
    // 6 steps of 400,000 / 4 bytes: 250 + 500 ns each
    assertThat(NETWORK.picoseconds(NodeKind.ALL_REDUCE, 400_000, 4, 0)).isEqualTo(4_500_000);
  }

  @Test
  void aReduceScatterSendsEachPartOnce() {
    assertThat(NETWORK.picoseconds(NodeKind.REDUCE_SCATTER, 400_000, 4, 0)).isEqualTo(2_250_000);
  }

  @Test
  void anAllGatherSendsTheShardsOfAllOthers() {
    // 3 steps of the whole input, which is a shard: 1000 + 500 ns each
    assertThat(NETWORK.picoseconds(NodeKind.ALL_GATHER, 400_000, 4, 0)).isEqualTo(4_500_000);
  }

  @Test
  void anAllToAllSendsWhatIsNotItsOwn() {
    assertThat(NETWORK.picoseconds(NodeKind.ALL_TO_ALL, 400_000, 4, 0)).isEqualTo(2_250_000);
  }

  @Test
  void aBarrierMovesNothingHoweverManyBytesATraceGivesIt() {
    assertThat(NETWORK.picoseconds(NodeKind.BARRIER, 400_000, 4, 0)).isEqualTo(1_500_000);
  }

  @Test
  void aKernelDoesNotUseTheNetwork() {
    assertThatThrownBy(() -> NETWORK.picoseconds(NodeKind.COMPUTE, 8, 4, 0))
        .hasMessage("COMPUTE does not use the network");
  }

  @Test
  void aMessageIsOneStep() {
    assertThat(NETWORK.picoseconds(NodeKind.SEND, 400_000, 1, 1)).isEqualTo(10_000_000);
  }

  @Test
  void aGroupOfOneHasNothingToSend() {
    assertThat(NETWORK.picoseconds(NodeKind.ALL_REDUCE, 400_000, 1, 0)).isZero();
  }

  @Test
  void aGroupLiesInTheOutermostDimensionInWhichItsMembersDiffer() {
    assertThat(NETWORK.dimension(0, 7)).isZero();
    assertThat(NETWORK.dimension(24, 31)).isZero();
    assertThat(NETWORK.dimension(7, 8)).isEqualTo(1);
    assertThat(NETWORK.dimension(0, 31)).isEqualTo(1);
  }
}
