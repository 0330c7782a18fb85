package org.stage.backend.genie;

/** Sums over the classes of an export, for its notes and its report. */
final class Totals {
  private long nodes;
  private long written;
  private long computeNodes;
  private long computeSteps;
  private long longestWait;
  private double surplus;
  private long longestMessage;

  /**
   * Counts a class.
   *
   * @param ranks how many it has
   * @param wanted how many of them have files
   */
  void add(ClassTrace trace, long ranks, long wanted) {
    nodes = plus(nodes, ranks, trace.template().nodes());
    written = plus(written, wanted, trace.template().nodes());
    computeNodes = plus(computeNodes, ranks, trace.computeNodes());
    computeSteps = plus(computeSteps, ranks, trace.computeSteps());
    longestWait = Math.max(longestWait, trace.durationMicros());
    surplus = Math.max(surplus, trace.surplusMicros());
    longestMessage = Math.max(longestMessage, trace.longestMessage());
  }

  private static long plus(long sum, long ranks, long nodes) {
    return Math.addExact(sum, Math.multiplyExact(ranks, nodes));
  }

  /** Nodes of all ranks. */
  long nodes() {
    return nodes;
  }

  /** Nodes in files. */
  long written() {
    return written;
  }

  /** Compute nodes of the execution graphs of all ranks. */
  long computeNodes() {
    return computeNodes;
  }

  /** Compute nodes of the traces of all ranks. */
  long computeSteps() {
    return computeSteps;
  }

  /** The longest sum of durations of a rank, microseconds. */
  long longestWait() {
    return longestWait;
  }

  /** By how much whole microseconds lengthen a rank's compute at most, microseconds. */
  double surplus() {
    return surplus;
  }

  /** The largest message, bytes. */
  long longestMessage() {
    return longestMessage;
  }
}
