package org.stage.sim.cost;

import org.stage.api.plugin.NodeKind;
import org.stage.api.workload.Workload;

/** How long communications take when nothing else is on the wire. */
public interface NetworkModel {
  /**
   * The network dimension in which a group or pair communicates. Groups of as many members in one
   * dimension are as fast as one another.
   *
   * @param lowest the lowest rank of it
   * @param highest the highest
   */
  int dimension(int lowest, int highest);

  /**
   * The duration of a communication, picoseconds.
   *
   * @param kind a collective, a send or a receive
   * @param bytes this rank's input, or the message
   * @param members of the group
   * @param dimension in which they communicate
   * @throws IllegalArgumentException if what {@code kind} names does not use the network
   */
  long picoseconds(NodeKind kind, long bytes, int members, int dimension);

  /** The model of the job's network. */
  static NetworkModel of(Workload workload) {
    return RingNetwork.of(workload);
  }
}
