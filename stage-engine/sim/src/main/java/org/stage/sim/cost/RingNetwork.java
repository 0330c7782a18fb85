package org.stage.sim.cost;

import java.util.List;
import org.stage.api.plugin.NodeKind;
import org.stage.api.workload.Collectives;
import org.stage.api.workload.NetworkDimension;
import org.stage.api.workload.NetworkDimension.Topology;
import org.stage.api.workload.Workload;

/**
 * Rings, one in each dimension that a group spans. Of {@code n} members along a dimension, each of
 * the {@link RingSteps} takes a chunk's time on the wire, at the share of the bandwidth that a link
 * reaches, and the latency of a hop.
 *
 * <p>A collective over several dimensions goes through them in phases. A reduce-scatter begins
 * inside: the next dimension gets what is left of the input, one part of as many as there are
 * members inside. An all-gather is the reverse, an all-reduce both. Pipelined, a collective is cut
 * into {@link #CHUNKS} that go through the phases behind one another: it takes all latencies, the
 * wire time of the slowest dimension, and that of one chunk in the others, which is how long the
 * slowest waits at the start and the end. Serial, each phase waits for the one before.
 *
 * <p>In an all-to-all each part goes straight to its member, over the dimension in which the two
 * differ outermost; the dimensions work side by side. Serial, it goes through phases that each move
 * the whole input, as in ASTRA-sim.
 *
 * @param dimensions innermost first
 * @param collectives how the phases of a collective follow one another
 */
public record RingNetwork(List<NetworkDimension> dimensions, Collectives collectives)
    implements NetworkModel {
  /** Into so many chunks a collective is cut that goes through several dimensions. */
  static final int CHUNKS = 4;

  private static final double PICOSECONDS = 1e3;

  /** Copies the list. */
  public RingNetwork {
    dimensions = List.copyOf(dimensions);
  }

  /** A network of pipelined collectives. */
  public RingNetwork(List<NetworkDimension> dimensions) {
    this(dimensions, Collectives.PIPELINED);
  }

  /** That of the job; where it says nothing one switch of 50 GB/s and 500 ns. */
  static RingNetwork of(Workload workload) {
    int devices = workload.mesh().devices();
    return new RingNetwork(
        workload.network().isEmpty()
            ? List.of(new NetworkDimension(Topology.SWITCH, devices, 50, 500))
            : workload.network(),
        workload.platform().collectives());
  }

  @Override
  public Spread spread(List<Integer> ranks) {
    return Spread.of(ranks, dimensions.stream().map(NetworkDimension::size).toList());
  }

  @Override
  public long picoseconds(NodeKind kind, long bytes, Spread spread) {
    boolean serial = collectives == Collectives.SERIAL;
    double latency = 0;
    double wire = 0;
    double slowest = 0;
    double longest = 0;
    for (int i = 0; i < dimensions.size(); i++) {
      if (spread.sizes().get(i) > 1) {
        NetworkDimension link = dimensions.get(i);
        RingSteps ring = steps(kind, spread, i);
        double chunk = kind == NodeKind.BARRIER ? 0 : ring.chunk(input(kind, bytes, spread, i));
        double phase = ring.steps() * (chunk / (link.gbPerS() * link.reached()));
        double hops = ring.steps() * link.latencyNs();
        wire += phase;
        latency += hops;
        slowest = Math.max(slowest, phase);
        longest = Math.max(longest, phase + hops);
      }
    }
    double nanoseconds = latency + (serial ? wire : slowest + (wire - slowest) / CHUNKS);
    boolean direct = kind == NodeKind.ALL_TO_ALL && !serial;
    return Math.round((direct ? longest : nanoseconds) * PICOSECONDS);
  }

  /** The ring of dimension {@code i}; of an all-to-all a step for each member met there. */
  private RingSteps steps(NodeKind kind, Spread spread, int i) {
    RingSteps ring = RingSteps.of(kind, spread.sizes().get(i));
    return kind == NodeKind.ALL_TO_ALL && collectives == Collectives.PIPELINED
        ? new RingSteps(spread.inside(i + 1) - (long) spread.inside(i), spread.members())
        : ring;
  }

  /** What a rank puts into the phase of dimension {@code i}. */
  private static double input(NodeKind kind, long bytes, Spread spread, int i) {
    return switch (kind) {
      // the shards of all members further out are there already
      case ALL_GATHER -> (double) bytes * spread.members() / spread.inside(i + 1);
      case ALL_TO_ALL, SEND, RECV -> bytes;
      default -> (double) bytes / spread.inside(i);
    };
  }
}
