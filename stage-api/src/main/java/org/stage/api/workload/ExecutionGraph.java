package org.stage.api.workload;

import java.util.List;

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
 */
public record ExecutionGraph(List<Node> nodes, List<TensorValue> tensors) {
  /** Copies the lists (free for lists that are immutable already). */
  public ExecutionGraph {
    nodes = List.copyOf(nodes);
    tensors = List.copyOf(tensors);
  }

  /** The collectives and sends, in the order in which the rank issues them. */
  public List<Node> commOrder() {
    return nodes.stream()
        .filter(node -> node instanceof Node.Collective || node instanceof Node.Send)
        .toList();
  }
}
