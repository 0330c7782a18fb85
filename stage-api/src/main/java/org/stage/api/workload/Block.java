package org.stage.api.workload;

import java.util.List;

/**
 * A part of an execution graph: what a rank does in one turn of its schedule, such as a pass of a
 * micro-batch, or in several turns.
 *
 * @param nodes in order, with ids of the whole graph
 * @param tensors those that are new in it, in the order of their ids in the whole graph
 */
public record Block(List<Node> nodes, List<TensorValue> tensors) {
  /** Copies the lists (free for lists that are immutable already). */
  public Block {
    nodes = List.copyOf(nodes);
    tensors = List.copyOf(tensors);
  }
}
