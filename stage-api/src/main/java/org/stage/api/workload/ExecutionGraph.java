package org.stage.api.workload;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one rank of a class does in one step.
 *
 * <p>The order of the nodes is a legal order of execution, and its collectives and sends in that
 * order are the rank's {@code order of communication}: every member of a group issues the same
 * collectives in the same relative order. An exporter for an engine that does not keep this order
 * by itself must write it as dependencies.
 *
 * <p>Turns of a schedule that differ in numbers only stand in {@link #runs() runs}: whoever writes
 * a block once and then its repetitions goes through these, all others through {@link #nodes()}.
 */
public final class ExecutionGraph {
  private final List<Node> nodes;
  private final List<TensorValue> tensors;
  private final List<Attribute> attributes;
  private final Supplier<List<Run>> runs;

  /**
   * A graph of one block. Copies the lists (free for lists that are immutable already). Does not
   * {@link #verify}.
   *
   * @param nodes in order; the id of a node is its index
   * @param tensors what the nodes read and write; empty if the graph was made without
   * @param attributes what a foreign trace says of the whole rank, to be passed on
   */
  public ExecutionGraph(List<Node> nodes, List<TensorValue> tensors, List<Attribute> attributes) {
    this.nodes = List.copyOf(nodes);
    this.tensors = List.copyOf(tensors);
    this.attributes = List.copyOf(attributes);
    this.runs = () -> List.of(Run.of(new Block(this.nodes, this.tensors)));
  }

  /** A graph that no foreign trace says anything of. */
  public ExecutionGraph(List<Node> nodes, List<TensorValue> tensors) {
    this(nodes, tensors, List.of());
  }

  private ExecutionGraph(
      List<Node> nodes,
      List<TensorValue> tensors,
      List<Attribute> attributes,
      Supplier<List<Run>> runs) {
    this.nodes = nodes;
    this.tensors = tensors;
    this.attributes = attributes;
    this.runs = runs;
  }

  /**
   * A graph of blocks, one after the other; what of them is repeated is found when it is asked for.
   */
  public static ExecutionGraph ofBlocks(List<Block> blocks) {
    List<Block> copy = List.copyOf(blocks);
    return new ExecutionGraph(
        copy.stream().flatMap(each -> each.nodes().stream()).toList(),
        copy.stream().flatMap(each -> each.tensors().stream()).toList(),
        List.of(),
        () -> Runs.find(copy));
  }

  /**
   * A graph of runs of blocks. Its flat lists are views, whose elements are made when they are
   * asked for.
   */
  public static ExecutionGraph ofRuns(List<Run> runs) {
    List<Run> copy = List.copyOf(runs);
    return new ExecutionGraph(Runs.nodes(copy), Runs.tensors(copy), List.of(), () -> copy);
  }

  /** The nodes in order; the id of a node is its index. */
  public List<Node> nodes() {
    return nodes;
  }

  /** What the nodes read and write; empty if the graph was made without. */
  public List<TensorValue> tensors() {
    return tensors;
  }

  /** What a foreign trace says of the whole rank, to be passed on. */
  public List<Attribute> attributes() {
    return attributes;
  }

  /**
   * The same nodes and tensors as blocks and their repetitions, in order. Of a graph of blocks they
   * are found anew each time: ask once.
   */
  public List<Run> runs() {
    return runs.get();
  }

  /**
   * The collectives and sends of each lane, in the order of issue, which is the same on all its
   * members. Together they are {@link #commOrder()}.
   */
  public Map<Lane, List<Node>> lanes() {
    Map<Lane, List<Node>> lanes = new LinkedHashMap<>();
    for (Node node : commOrder()) {
      Lane lane =
          node instanceof Node.Collective collective
              ? collective.lane()
              : ((Node.Send) node).lane();
      lanes.computeIfAbsent(lane, l -> new ArrayList<>()).add(node);
    }
    lanes.replaceAll((lane, its) -> List.copyOf(its));
    return Collections.unmodifiableMap(lanes);
  }

  /** The collectives and sends, in the order in which the rank issues them. */
  public List<Node> commOrder() {
    return nodes.stream()
        .filter(node -> node instanceof Node.Collective || node instanceof Node.Send)
        .toList();
  }

  /**
   * Checks what every graph promises: ids are indices, dependencies have lower ids, tensors have
   * names of their own and one writer at most, which stands before every reader.
   *
   * @throws IllegalArgumentException at the first breach; the message quotes the node or tensor
   */
  public void verify() {
    Set<String> names = new HashSet<>();
    tensors.forEach(
        tensor -> require(names.add(tensor.name()), "tensor " + tensor.name(), "is there twice"));
    int[] writers = new int[tensors.size()];
    Arrays.fill(writers, -1);
    for (int i = 0; i < nodes.size(); i++) {
      Node node = nodes.get(i);
      String quoted = "node " + node.id() + " (" + node.name() + ")";
      require(node.id() == i, quoted, "is number " + i);
      verifyBelow(quoted, "depends on node", node.dataDeps(), i);
      verifyBelow(quoted, "depends on node", node.controlDeps(), i);
      verifyBelow(quoted, "reads tensor", node.header().reads(), tensors.size());
      verifyBelow(quoted, "writes tensor", node.header().writes(), tensors.size());
      for (int id : node.header().writes().stream().toArray()) {
        require(writers[id] < 0, quoted, "writes " + tensors.get(id).name() + " again");
        writers[id] = i;
      }
    }
    nodes.forEach(node -> verifyReads(node, writers));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ExecutionGraph that
        && nodes.equals(that.nodes)
        && tensors.equals(that.tensors)
        && attributes.equals(that.attributes);
  }

  @Override
  public int hashCode() {
    return Objects.hash(nodes, tensors, attributes);
  }

  /** How large it is. */
  @Override
  public String toString() {
    return "graph of " + nodes.size() + " nodes and " + tensors.size() + " tensors";
  }

  private void verifyReads(Node node, int[] writers) {
    for (int id : node.header().reads().stream().toArray()) {
      require(
          writers[id] < node.id(),
          "node " + node.id() + " (" + node.name() + ")",
          "reads " + tensors.get(id).name() + ", which node " + writers[id] + " writes");
    }
  }

  private static void verifyBelow(String quoted, String what, Ids ids, int limit) {
    for (int id : ids.stream().toArray()) {
      require(0 <= id && id < limit, quoted, what + " " + id + ", which is not below " + limit);
    }
  }

  private static void require(boolean condition, String culprit, String what) {
    if (!condition) {
      throw new IllegalArgumentException(culprit + " " + what);
    }
  }
}
