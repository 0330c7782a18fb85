package org.stage.backend.simai;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import org.stage.api.workload.Node;
import org.stage.api.workload.Phase;
import org.stage.backend.simai.format.Comm;

/** What a stage's graph holds, of one rank and one step, to be held against its file. */
final class Totals {
  private final Map<Phase, Long> flops = new EnumMap<>(Phase.class);
  private final Map<String, Traffic> traffic = new TreeMap<>();
  private double nanoseconds;

  /**
   * Collectives of one kind.
   *
   * @param count collectives in the graph
   * @param inputBytes this rank's input, as the graph counts
   * @param tensorBytes whole tensors, as the file counts
   */
  record Traffic(long count, long inputBytes, long tensorBytes) {
    Traffic and(Traffic other) {
      return new Traffic(
          count + other.count,
          Math.addExact(inputBytes, other.inputBytes),
          Math.addExact(tensorBytes, other.tensorBytes));
    }
  }

  void add(Node.Compute node, double duration) {
    flops.merge(node.phase(), node.flops(), Math::addExact);
    nanoseconds += duration;
  }

  void add(Node.Collective node, Groups.Place place, Comm comm) {
    String group = place.data() ? "DP" : "TP";
    String key = comm.word() + (place.scope() == Comm.Scope.COLUMN ? " " + group : "");
    traffic.merge(key, new Traffic(1, node.bytes(), comm.bytes()), Traffic::and);
  }

  /** FLOPs of matrix and attention products. */
  Map<Phase, Long> flops() {
    return flops;
  }

  /** By word and group: {@code ALLGATHER TP}. */
  Map<String, Traffic> traffic() {
    return traffic;
  }

  /** All compute nodes. */
  double nanoseconds() {
    return nanoseconds;
  }
}
