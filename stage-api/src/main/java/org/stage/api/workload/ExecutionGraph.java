package org.stage.api.workload;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What one rank of a class does in one step.
 *
 * <p>The order of the nodes is a legal order of execution, and its collectives and sends in that
 * order are the rank's {@code order of communication}: every member of a group issues the same
 * collectives in the same relative order. An exporter for an engine that does not keep this order
 * by itself must write it as dependencies.
 *
 * @param nodes in order; the id of a node is its index
 * @param tensors what the nodes read and write; empty if the graph was made without
 * @param attributes what a foreign trace says of the whole rank, to be passed on
 */
public record ExecutionGraph(
    List<Node> nodes, List<TensorValue> tensors, List<Attribute> attributes) {
  /** Copies the lists (free for lists that are immutable already). Does not {@link #verify}. */
  public ExecutionGraph {
    nodes = List.copyOf(nodes);
    tensors = List.copyOf(tensors);
    attributes = List.copyOf(attributes);
  }

  /** A graph that no foreign trace says anything of. */
  public ExecutionGraph(List<Node> nodes, List<TensorValue> tensors) {
    this(nodes, tensors, List.of());
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
