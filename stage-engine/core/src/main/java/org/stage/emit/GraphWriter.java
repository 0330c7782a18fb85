package org.stage.emit;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.stage.api.workload.Block;
import org.stage.api.workload.Details;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Group;
import org.stage.api.workload.Ids;
import org.stage.api.workload.Lane;
import org.stage.api.workload.Node;
import org.stage.api.workload.NodeHeader;
import org.stage.api.workload.Position;
import org.stage.api.workload.TensorType;
import org.stage.api.workload.TensorValue;
import org.stage.state.Action;
import org.stage.state.Work;

/**
 * An execution graph under construction. Keeps the device to the schedule: a kernel that does not
 * wait for another kernel of its turn waits for the last one of the turn before. Where two passes
 * overlap in a turn, each is a stream of its own: neither waits for the other.
 */
final class GraphWriter {
  /** The turns before this one. */
  private final List<Block> blocks = new ArrayList<>();

  /** Nodes of this turn, and tensors that are new in it. */
  private final List<Node> nodes = new ArrayList<>();

  private final List<TensorValue> tensors = new ArrayList<>();

  /** How many nodes and tensors the turns before have. */
  private int nodesBefore;

  private int tensorsBefore;

  /** Nodes of the turn that wait for the schedule: its kernels and what follows from them. */
  private final BitSet held = new BitSet();

  /** By stream: the last kernel of the turn, if it had any. */
  private final Ids[] last = {Ids.NONE, Ids.NONE};

  /** By group, which all nodes of an action share. */
  private final IdentityHashMap<Group, Lane> lanes = new IdentityHashMap<>();

  private int tags;

  /** The last kernels of the turn before. */
  private Ids before = Ids.NONE;

  /** By group: the last collective that the next kernel waits for. */
  private final Map<Group, Integer> awaited = new LinkedHashMap<>();

  private int stream;

  /** Begins a turn: one pass, or two that overlap, or the end of the step. */
  void beginTurn() {
    endBlock(false);
    held.clear();
    IdSet ended = new IdSet();
    for (int i = 0; i < last.length; i++) {
      ended.addAll(last[i]);
      last[i] = Ids.NONE;
    }
    Ids kernels = ended.sorted();
    before = kernels.size() == 0 ? before : kernels;
    stream = 0;
  }

  /** What is added next belongs to the first or the second pass of the turn. */
  void stream(int number) {
    stream = number;
  }

  /** The id of the node that the next call adds. */
  int next() {
    return nodesBefore + nodes.size();
  }

  /**
   * The kernel that this pass added last, or else the last one that was there before it, if any.
   */
  Ids lastKernel() {
    boolean begun = last[stream].size() > 0 || before.size() == 0;
    return begun ? last[stream] : Ids.of(before.get(before.size() - 1));
  }

  /** The kernels that were added last, of each stream of a turn one. */
  Ids lastKernels() {
    return last[stream].size() > 0 ? last[stream] : before;
  }

  /** The next kernel waits for the collective that the next call adds. */
  void await(Group group) {
    awaited.put(group, next());
  }

  /** A tag for a message to the next rank along an axis, which sees the same number. */
  int nextTag() {
    return tags++;
  }

  /** A tensor that is there from the start. */
  TensorRef given(String name, TensorType type) {
    return tensor(name, type, Ids.NONE);
  }

  /** A tensor that the node writes which the next call adds. */
  TensorRef written(String name, TensorType type) {
    return tensor(name, type, Ids.of(next()));
  }

  private TensorRef tensor(String name, TensorType type, Ids writer) {
    tensors.add(new TensorValue(name, type));
    return new TensorRef(tensorsBefore + tensors.size() - 1, writer);
  }

  /** The header of the node that the next call adds, which does {@code action}. */
  NodeHeader header(
      String name,
      Position position,
      Action action,
      NodeHeader.Dependencies deps,
      NodeHeader.Access tensors,
      Details details) {
    return new NodeHeader(next(), name, action.moment().phase(), position, deps, tensors, details);
  }

  /** Control dependencies of the next kernel, which has these data dependencies. */
  Ids turnDeps(Ids dataDeps) {
    // Not so what only follows from a receive, or gathers what an earlier turn kept.
    Ids turn = follows(dataDeps) ? Ids.NONE : before;
    if (awaited.isEmpty()) {
      return turn;
    }
    IdSet all = new IdSet();
    all.addAll(turn);
    awaited.values().forEach(all::add);
    awaited.clear();
    return IdSet.without(all.sorted(), dataDeps);
  }

  private boolean follows(Ids dataDeps) {
    for (int i = 0; i < dataDeps.size(); i++) {
      if (held.get(dataDeps.get(i))) {
        return true;
      }
    }
    return false;
  }

  /** Adds a kernel, a collective, or a copy to host memory and back. */
  void add(NodeHeader header, Work work) {
    if (work instanceof Work.Kernel kernel) {
      add(
          new Node.Compute(
              header,
              kernel.operator(),
              kernel.shape(),
              kernel.cost(),
              kernel.inputs(),
              kernel.outputs()));
    } else if (work instanceof Work.Transfer move) {
      Lane lane = lanes.computeIfAbsent(move.group(), Lane::of);
      add(
          new Node.Collective(
              header, move.kind(), move.elements(), move.type(), move.group(), lane));
    } else if (work instanceof Work.HostCopy copy) {
      add(
          copy.toHost()
              ? new Node.MemoryStore(header, copy.bytes())
              : new Node.MemoryLoad(header, copy.bytes()));
    } else {
      throw new IllegalArgumentException(header.name() + " is a message, which has two ends");
    }
  }

  void add(Node node) {
    if (node instanceof Node.Compute) {
      last[stream] = Ids.of(node.id());
      held.set(node.id());
    } else if (follows(node.dataDeps())) {
      held.set(node.id());
    }
    nodes.add(node);
  }

  /**
   * What was added since is a block. Tensors that no node writes belong to the next one; with the
   * last, there is none.
   */
  private void endBlock(boolean last) {
    if (!nodes.isEmpty() || (last && !tensors.isEmpty())) {
      blocks.add(new Block(nodes, tensors));
      nodesBefore = next();
      tensorsBefore += tensors.size();
      nodes.clear();
      tensors.clear();
    }
  }

  ExecutionGraph finish() {
    endBlock(true);
    return ExecutionGraph.ofBlocks(blocks);
  }
}
