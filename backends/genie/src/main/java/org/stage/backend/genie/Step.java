package org.stage.backend.genie;

import java.util.NavigableSet;
import java.util.TreeSet;
import org.stage.api.workload.Node;

/** A node of the trace: a transfer, or one or more compute nodes that Genie only waits for. */
final class Step {
  private final Node first;
  private final NavigableSet<Integer> deps = new TreeSet<>();
  private int nodes;
  private long operations;
  private long bytes;
  private double nanoseconds;

  Step(Node first) {
    this.first = first;
  }

  /** Adds {@code node} to what the step stands for. */
  void add(Node.Compute node, double duration) {
    nodes++;
    operations = Math.addExact(operations, Math.addExact(node.flops(), node.otherFlops()));
    bytes = Math.addExact(bytes, Math.addExact(node.bytesRead(), node.bytesWritten()));
    nanoseconds += duration;
  }

  /** The node, or the first of several. */
  Node first() {
    return first;
  }

  /** Its name, with how many more it stands for. */
  String name() {
    return nodes > 1 ? first.name() + " (+" + (nodes - 1) + ")" : first.name();
  }

  /** Steps that come before, by index. */
  NavigableSet<Integer> deps() {
    return deps;
  }

  /** FLOPs of all kinds; at least 1, as 0 is no work to Genie. */
  long operations() {
    return Math.max(1, operations);
  }

  /** Bytes read and written, at least 1. */
  long bytes() {
    return Math.max(1, bytes);
  }

  /** How long its compute nodes take, one after the other. */
  double nanoseconds() {
    return nanoseconds;
  }
}
