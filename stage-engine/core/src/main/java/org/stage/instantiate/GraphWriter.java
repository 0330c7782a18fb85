package org.stage.instantiate;

import java.util.ArrayList;
import java.util.Arrays;
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
 * wait for another kernel of its turn waits for the last one of the turn before. Where two passes
 * overlap in a turn, each is a stream of its own: neither waits for the other.
 */
final class GraphWriter {
  private final List<Node> nodes = new ArrayList<>();
  private final List<TensorValue> tensors = new ArrayList<>();

  /** Nodes of the turn that wait for the schedule: its kernels and what follows from them. */
  private final BitSet held = new BitSet();

  /** By stream: the last kernel of the turn, or -1. */
  private final int[] last = {-1, -1};

  /** The last kernels of the turn before. */
  private Ids before = Ids.NONE;

  private int stream;

  /** Begins a turn: one pass, or two that overlap, or the end of the step. */
  void beginTurn() {
    held.clear();
    IntStream ended = IntStream.of(last).filter(kernel -> kernel >= 0);
    before = lastOfTurn() < 0 ? before : Ids.sorted(ended);
    Arrays.fill(last, -1);
    stream = 0;
  }

  /** What is added next belongs to the first or the second pass of the turn. */
  void stream(int number) {
    stream = number;
  }

  private int lastOfTurn() {
    return Math.max(last[0], last[1]);
  }

  /** The node that the next call adds. */
  int next() {
    return nodes.size();
  }

  /** The kernel that this pass added last, or else one that was there before it, or -1. */
  int lastKernel() {
    return last[stream] >= 0 ? last[stream] : before.stream().max().orElse(-1);
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
    return follows ? Ids.NONE : before;
  }

  void add(Node node) {
    if (node instanceof Node.Compute) {
      last[stream] = node.id();
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
