package org.stage.sim.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.stage.api.plugin.NodeKind;
import org.stage.api.workload.Collectives;
import org.stage.api.workload.NetworkDimension;
import org.stage.api.workload.NetworkDimension.Topology;

class RingNetworkTest {
  /** Nodes of 8 devices at 400 bytes a nanosecond, and a fabric of 4 nodes at 50. */
  private static final RingNetwork NETWORK =
      new RingNetwork(
          List.of(
              new NetworkDimension(Topology.SWITCH, 8, 400, 500),
              new NetworkDimension(Topology.SWITCH, 4, 50, 2000)));

  private static final RingNetwork SERIAL =
      new RingNetwork(NETWORK.dimensions(), Collectives.SERIAL);

  private static final Spread NODE = new Spread(List.of(4, 1));
  private static final Spread FABRIC = new Spread(List.of(1, 4));

  /** Half of each of two nodes. */
  private static final Spread BOTH = new Spread(List.of(4, 2));

  @Test
  void anAllReduceSendsEachPartTwiceAroundTheRing() {
    // 6 steps of 400,000 / 4 bytes: 250 + 500 ns each
    assertThat(NETWORK.picoseconds(NodeKind.ALL_REDUCE, 400_000, NODE)).isEqualTo(4_500_000);
    // 2,000 + 2,000 ns each
    assertThat(NETWORK.picoseconds(NodeKind.ALL_REDUCE, 400_000, FABRIC)).isEqualTo(24_000_000);
  }

  @Test
  void aReduceScatterSendsEachPartOnce() {
    assertThat(NETWORK.picoseconds(NodeKind.REDUCE_SCATTER, 400_000, NODE)).isEqualTo(2_250_000);
  }

  @Test
  void anAllGatherSendsTheShardsOfAllOthers() {
    // 3 steps of the whole input, which is a shard: 1000 + 500 ns each
    assertThat(NETWORK.picoseconds(NodeKind.ALL_GATHER, 400_000, NODE)).isEqualTo(4_500_000);
  }

  @Test
  void anAllToAllSendsWhatIsNotItsOwn() {
    assertThat(NETWORK.picoseconds(NodeKind.ALL_TO_ALL, 400_000, NODE)).isEqualTo(2_250_000);
  }

  @Test
  void aBarrierMovesNothingHoweverManyBytesATraceGivesIt() {
    assertThat(NETWORK.picoseconds(NodeKind.BARRIER, 400_000, NODE)).isEqualTo(1_500_000);
  }

  @Test
  void aKernelDoesNotUseTheNetwork() {
    assertThatThrownBy(() -> NETWORK.picoseconds(NodeKind.COMPUTE, 8, NODE))
        .hasMessage("COMPUTE does not use the network");
  }

  @Test
  void aMessageIsOneStep() {
    Spread pair = new Spread(List.of(1, 2));
    assertThat(NETWORK.picoseconds(NodeKind.SEND, 400_000, pair)).isEqualTo(10_000_000);
  }

  @Test
  void aGroupOfOneHasNothingToSend() {
    Spread alone = new Spread(List.of(1, 1));
    assertThat(NETWORK.picoseconds(NodeKind.ALL_REDUCE, 400_000, alone)).isZero();
  }

  /**
   * Inside 2 x 3 steps of 100,000 bytes, 1,500 + 3,000 ns; outside 2 steps of half of 100,000,
   * 2,000 + 4,000 ns. The slower wire, a quarter of the other, and all latencies.
   */
  @Test
  void anAllReduceOverTwoDimensionsTakesTheSlowerOneAndTheRampOfTheOther() {
    assertThat(NETWORK.picoseconds(NodeKind.ALL_REDUCE, 400_000, BOTH))
        .isEqualTo((2_000 + 1_500 / 4 + 7_000) * 1_000);
    assertThat(SERIAL.picoseconds(NodeKind.ALL_REDUCE, 400_000, BOTH))
        .isEqualTo((2_000 + 1_500 + 7_000) * 1_000);
  }

  /** Half of an all-reduce each; the shard of an all-gather is an eighth of what is gathered. */
  @Test
  void scatterAndGatherOverTwoDimensionsAreHalvesOfAnAllReduce() {
    assertThat(NETWORK.picoseconds(NodeKind.REDUCE_SCATTER, 800_000, BOTH))
        .isEqualTo((2_000 + 1_500 / 4 + 3_500) * 1_000)
        .isEqualTo(NETWORK.picoseconds(NodeKind.ALL_GATHER, 100_000, BOTH));
    assertThat(SERIAL.picoseconds(NodeKind.ALL_GATHER, 100_000, BOTH))
        .isEqualTo((2_000 + 1_500 + 3_500) * 1_000);
  }

  /**
   * Of 8 parts 3 stay in the node, 375 + 1,500 ns, and 4 leave it, 4,000 + 8,000 ns, at the same
   * time. In phases 3 of 4 parts go inside, 750 + 1,500 ns, then one of 2 outside, 4,000 + 2,000.
   */
  @Test
  void anAllToAllTakesTheLongerOfWhatStaysInANodeAndWhatLeavesIt() {
    assertThat(NETWORK.picoseconds(NodeKind.ALL_TO_ALL, 400_000, BOTH)).isEqualTo(12_000_000);
    assertThat(SERIAL.picoseconds(NodeKind.ALL_TO_ALL, 400_000, BOTH)).isEqualTo(8_250_000);
  }

  @Test
  void linksCarryTheShareThatTheyReach() {
    RingNetwork half =
        new RingNetwork(List.of(new NetworkDimension(Topology.SWITCH, 8, 400, 500, 0.5)));
    // 6 steps of 400,000 / 4 bytes: 500 + 500 ns each
    assertThat(half.picoseconds(NodeKind.ALL_REDUCE, 400_000, new Spread(List.of(4))))
        .isEqualTo(6_000_000);
  }

  /**
   * All-reduces of 8 GB on nodes of 8 H100 or H200 with 400 Gb/s a device: nccl-tests reports 320
   * GB/s of bus bandwidth on 4 nodes, and about 350 on 248.
   */
  @Test
  void allReducesOfManyNodesReachTheBusBandwidthsThatWereMeasured() {
    assertThat(busBandwidth(4)).isCloseTo(320, within(0.15 * 320));
    assertThat(busBandwidth(248)).isCloseTo(350, within(0.15 * 350));
  }

  private static double busBandwidth(int nodes) {
    RingNetwork network =
        new RingNetwork(
            List.of(
                new NetworkDimension(Topology.SWITCH, 8, 450, 500, 0.8),
                new NetworkDimension(Topology.SWITCH, nodes, 50, 2000, 0.95)));
    Spread all = new Spread(List.of(8, nodes));
    long bytes = 8_000_000_000L;
    double ns = network.picoseconds(NodeKind.ALL_REDUCE, bytes, all) / 1e3;
    double devices = all.members();
    return 2 * (devices - 1) / devices * bytes / ns;
  }

  @Test
  void noCollectiveIsSlowerOnAFasterNetwork() {
    List<NodeKind> kinds =
        List.of(
            NodeKind.ALL_REDUCE, NodeKind.ALL_GATHER, NodeKind.REDUCE_SCATTER, NodeKind.ALL_TO_ALL);
    for (Collectives collectives : Collectives.values()) {
      for (NodeKind kind : kinds) {
        for (int faster = 0; faster < 2; faster++) {
          int dimension = faster;
          long[] times =
              IntStream.of(1, 3, 10, 40, 200, 1000)
                  .mapToLong(rate -> times(kind, collectives, dimension, rate))
                  .toArray();
          for (int i = 1; i < times.length; i++) {
            assertThat(times[i]).as(kind + " " + collectives).isLessThanOrEqualTo(times[i - 1]);
          }
          assertThat(times[5]).as(kind + " " + collectives).isLessThan(times[0]);
        }
      }
    }
  }

  private static long times(NodeKind kind, Collectives collectives, int dimension, double rate) {
    RingNetwork network =
        new RingNetwork(
            List.of(
                new NetworkDimension(Topology.SWITCH, 8, dimension == 0 ? rate : 100, 500),
                new NetworkDimension(Topology.SWITCH, 4, dimension == 1 ? rate : 100, 2000)),
            collectives);
    return network.picoseconds(kind, 100_000_000, BOTH);
  }
}
