package org.stage.sim.cost;

import java.util.List;
import org.stage.api.plugin.NodeKind;
import org.stage.api.workload.Workload;

/** How long communications take when nothing else is on the wire. */
public interface NetworkModel {
  /**
   * How a group or the two ends of a message are spread over the network. Groups that are spread
   * alike are as fast as one another.
   *
   * @param ranks ascending
   */
  Spread spread(List<Integer> ranks);

  /**
   * The duration of a communication, picoseconds.
   *
   * @param kind a collective, a send or a receive
   * @param bytes this rank's input, or the message
   * @param spread of the group, or of the two ends of the message
   * @throws IllegalArgumentException if what {@code kind} names does not use the network
   */
  long picoseconds(NodeKind kind, long bytes, Spread spread);

  /** The model of the job's network. */
  static NetworkModel of(Workload workload) {
    return RingNetwork.of(workload);
  }
}
