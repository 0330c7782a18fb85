package org.stage.api.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A block of an execution graph and its repetitions, such as a turn of each micro-batch. Each
 * number in a block - ids, dependencies, tensors read and written, tags, micro-batches, numbers in
 * names - goes on from one repetition to the next by as much as from the first to the second; all
 * else is the same in all.
 *
 * @param first the block
 * @param second its first repetition; empty if it stands alone
 * @param times how often it stands there in all, at least 1
 */
public record Run(Block first, Optional<Block> second, int times) {
  /**
   * Checks that the count fits the repetition, and that this is one.
   *
   * @throws IllegalArgumentException if a block that stands alone is said to be repeated, or the
   *     other way round, or if the repetition is no repetition of the block
   */
  public Run {
    if (times < 1 || second.isPresent() != times > 1) {
      throw new IllegalArgumentException("a run of " + times + " blocks, " + second.isPresent());
    }
    second.ifPresent(
        again -> {
          if (!Progression.isRepetition(first, again)) {
            throw new IllegalArgumentException("the second block of a run is another block");
          }
        });
  }

  /** A block that stands alone. */
  public static Run of(Block block) {
    return new Run(block, Optional.empty(), 1);
  }

  /**
   * One of its blocks.
   *
   * @param index from 0
   * @throws IndexOutOfBoundsException if it has no so many
   */
  public Block block(int index) {
    Objects.checkIndex(index, times);
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < first.nodes().size(); i++) {
      nodes.add(node(index, i));
    }
    List<TensorValue> tensors = new ArrayList<>();
    for (int i = 0; i < first.tensors().size(); i++) {
      tensors.add(tensor(index, i));
    }
    return new Block(nodes, tensors);
  }

  Node node(int index, int at) {
    Node from = first.nodes().get(at);
    return index == 0 ? from : Progression.node(from, second.orElseThrow().nodes().get(at), index);
  }

  TensorValue tensor(int index, int at) {
    TensorValue from = first.tensors().get(at);
    return index == 0
        ? from
        : Progression.tensor(from, second.orElseThrow().tensors().get(at), index);
  }
}
