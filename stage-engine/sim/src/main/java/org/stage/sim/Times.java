package org.stage.sim;

import java.util.Arrays;

/** When the nodes of one rank run, picoseconds from the start of the step. */
public final class Times {
  private final long[] ready;
  private final long[] start;
  private final long[] end;

  Times(int nodes) {
    ready = new long[nodes];
    start = new long[nodes];
    end = new long[nodes];
  }

  /** When nothing on this rank kept {@code node} back any more. */
  public long ready(int node) {
    return ready[node];
  }

  /** When {@code node} began: a communication when its partners were ready too. */
  public long start(int node) {
    return start[node];
  }

  /** When {@code node} was done. */
  public long end(int node) {
    return end[node];
  }

  /** When the last node was done. */
  public long last() {
    return Arrays.stream(end).max().orElse(0);
  }

  void readyNotBefore(int node, long time) {
    ready[node] = Math.max(ready[node], time);
  }

  void run(int node, long from, long duration) {
    start[node] = from;
    end[node] = Math.addExact(from, duration);
  }
}
