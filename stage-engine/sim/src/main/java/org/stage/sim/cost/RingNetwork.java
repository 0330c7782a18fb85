package org.stage.sim.cost;

import java.util.List;
import org.stage.api.plugin.NodeKind;
import org.stage.api.workload.NetworkDimension;
import org.stage.api.workload.NetworkDimension.Topology;
import org.stage.api.workload.Workload;

/**
 * A deliberately simple model: a group lies in the outermost dimension in which its members differ,
 * all its traffic runs at that dimension's bandwidth, and each of the {@link RingSteps} takes a
 * chunk's time on the wire and the latency of a hop.
 *
 * @param dimensions innermost first
 */
public record RingNetwork(List<NetworkDimension> dimensions) implements NetworkModel {
  private static final double PICOSECONDS = 1e3;

  /** Copies the list. */
  public RingNetwork {
    dimensions = List.copyOf(dimensions);
  }

  /** That of the job; where it says nothing one switch of 50 GB/s and 500 ns. */
  static RingNetwork of(Workload workload) {
    int devices = workload.mesh().devices();
    return new RingNetwork(
        workload.network().isEmpty()
            ? List.of(new NetworkDimension(Topology.SWITCH, devices, 50, 500))
            : workload.network());
  }

  @Override
  public int dimension(int lowest, int highest) {
    int extent = 1;
    for (int i = 0; i < dimensions.size() - 1; i++) {
      extent = Math.multiplyExact(extent, dimensions.get(i).size());
      if (lowest / extent == highest / extent) {
        return i;
      }
    }
    return dimensions.size() - 1;
  }

  @Override
  public long picoseconds(NodeKind kind, long bytes, int members, int dimension) {
    RingSteps ring = RingSteps.of(kind, members);
    double chunk = kind == NodeKind.BARRIER ? 0 : ring.chunk((double) bytes);
    NetworkDimension link = dimensions.get(dimension);
    return Math.round(ring.steps() * (chunk / link.gbPerS() + link.latencyNs()) * PICOSECONDS);
  }
}
