package org.stage.instantiate;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.stage.api.workload.Details;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Ids;
import org.stage.api.workload.Node;
import org.stage.api.workload.Phase;
import org.stage.api.workload.TensorValue;

/**
 * An execution graph under construction. Keeps the device to the schedule: a kernel that does not
 * wait for another kernel of its turn waits for the last one of the turn before.
 */
final class GraphWriter {
  private final List<Node> nodes = new ArrayList<>();
  private final List<TensorValue> tensors = new ArrayList<>();

  /** Nodes of the turn that wait for the schedule: its kernels and what follows from them. */
  private final BitSet held = new BitSet();

  private int lastKernel = -1;
  private int lastKernelBefore = -1;
  private int tags;

  /** Begins a turn: the pass of one micro-batch, or the end of the step. */
  void beginTurn() {
    held.clear();
    lastKernelBefore = lastKernel;
  }

  /** The node that the next call adds. */
  int next() {
    return nodes.size();
  }

  /** The kernel added last, or -1. */
  int lastKernel() {
    return lastKernel;
  }

  /** A tag for a message to the next rank along an axis, which sees the same number. */
  int nextTag() {
    return tags++;
  }

  int tensor(String name, long bytes) {
    tensors.add(new TensorValue(name, bytes));
    return tensors.size() - 1;
  }

  Node.Header header(
      String name,
      Phase phase,
      IntStream dataDeps,
      Ids controlDeps,
      Ids reads,
      Ids writes,
      Details details) {
    Ids deps = Ids.sorted(dataDeps.filter(dep -> dep >= 0));
    return new Node.Header(nodes.size(), name, phase, deps, controlDeps, reads, writes, details);
  }

  /** What is known of a node that takes {@code nanoseconds}, if anything is. */
  static Details lasting(OptionalLong nanoseconds) {
    return nanoseconds.isPresent() ? Details.ofDuration(nanoseconds.getAsLong()) : Details.NONE;
  }

  /** Control dependencies of a kernel with these data dependencies. */
  Ids turnDeps(IntStream dataDeps) {
    // Not so what only follows from a receive, or gathers what an earlier turn kept.
    boolean follows = dataDeps.anyMatch(dep -> dep >= 0 && held.get(dep));
    return follows || lastKernelBefore < 0 ? Ids.NONE : Ids.of(lastKernelBefore);
  }

  void add(Node node) {
    if (node instanceof Node.Compute) {
      lastKernel = node.id();
      held.set(node.id());
    } else if (node.dataDeps().stream().anyMatch(held::get)) {
      held.set(node.id());
    }
    nodes.add(node);
  }

  ExecutionGraph finish() {
    return new ExecutionGraph(nodes, tensors);
  }
}
