package org.stage.sim;

import java.util.List;
import org.stage.api.plugin.NodeKind;
import org.stage.api.workload.NetworkDimension;
import org.stage.api.workload.NetworkDimension.Topology;
import org.stage.api.workload.Workload;

/**
 * How long communications take: a deliberately simple model, in which nothing else is on the wire.
 *
 * <p>A group lies in the outermost dimension in which its members differ, and all its traffic runs
 * at that dimension's bandwidth. A collective is a number of steps, in each of which a rank sends
 * one chunk and receives another: of {@code n} members, an all-reduce takes {@code 2(n-1)} steps of
 * {@code 1/n} of the input, a reduce-scatter and an all-to-all {@code n-1} of these, an all-gather
 * {@code n-1} steps of the whole input. A message is one step.
 *
 * @param dimensions innermost first
 */
public record Network(List<NetworkDimension> dimensions) {
  /** What is assumed where the workload says nothing. */
  static final double DEFAULT_GB_PER_S = 50;

  /** What is assumed where the workload says nothing. */
  static final double DEFAULT_LATENCY_NS = 500;

  private static final double PICOSECONDS = 1e3;

  static Network of(Workload workload) {
    return workload.network().isEmpty() ? oneSwitch(workload) : new Network(workload.network());
  }

  private static Network oneSwitch(Workload workload) {
    return new Network(
        List.of(
            new NetworkDimension(
                Topology.SWITCH, workload.mesh().devices(), DEFAULT_GB_PER_S, DEFAULT_LATENCY_NS)));
  }

  /** The outermost dimension in which ranks from {@code lowest} to {@code highest} differ. */
  int dimension(int lowest, int highest) {
    int extent = 1;
    for (int i = 0; i < dimensions.size() - 1; i++) {
      extent *= dimensions.get(i).size();
      if (lowest / extent == highest / extent) {
        return i;
      }
    }
    return dimensions.size() - 1;
  }

  /**
   * The duration of a communication.
   *
   * @param bytes the input of this rank, or the message
   * @param members of the group
   */
  long picoseconds(NodeKind kind, double bytes, int members, int dimension) {
    return switch (kind) {
      case ALL_REDUCE -> steps(2 * (members - 1), bytes / members, dimension);
      case REDUCE_SCATTER, ALL_TO_ALL -> steps(members - 1, bytes / members, dimension);
      case ALL_GATHER -> steps(members - 1, bytes, dimension);
      case REDUCE, GATHER, SCATTER, BROADCAST -> steps(members - 1, bytes / members, dimension);
      case BARRIER -> steps(members - 1, 0, dimension);
      case SEND, RECV -> steps(1, bytes, dimension);
      default -> throw new IllegalArgumentException(kind + " does not use the network");
    };
  }

  private long steps(int steps, double chunk, int dimension) {
    NetworkDimension link = dimensions.get(dimension);
    return Math.round(steps * (chunk / link.gbPerS() + link.latencyNs()) * PICOSECONDS);
  }
}
