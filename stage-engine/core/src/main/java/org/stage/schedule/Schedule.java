package org.stage.schedule;

import java.util.List;
import java.util.Optional;

/**
 * An order of micro-batches in a pipeline, and where the chunks of its ranks stand. What is not
 * said otherwise is that of a schedule whose ranks hold chunk {@code c} of rank {@code i} at
 * position {@code c p + i}, so that with several chunks the last rank sends to the first.
 */
public interface Schedule {
  /** The word of files: {@code zero-bubble}. */
  String name();

  /**
   * The passes of a rank, in order. They end whatever the costs; each micro-batch passes each chunk
   * it runs through once forward and once backward, in whole or in two parts.
   */
  List<Turn> turns(Pipeline pipeline, int rank);

  /** What the literature says of how long ranks are idle, where it says something. */
  default Optional<ClosedForm> closedForm(Pipeline pipeline, Costs costs) {
    return Optional.empty();
  }

  /** Whether one rank alone cannot run it. */
  default boolean needsPipeline() {
    return false;
  }

  /** Whether a rank holds as many chunks as the file asks for, two at least; else there is one. */
  default boolean hasVirtualStages() {
    return false;
  }

  /**
   * Whether each chunk of the model is on two ranks, a rank and its mirror image, half of the
   * micro-batches running through each copy.
   */
  default boolean hasCopies() {
    return false;
  }

  /** Whether forward and backward passes overlap. */
  default boolean overlaps() {
    return false;
  }

  /** What it demands of a pipeline of several ranks that these do not fulfil. */
  default Optional<Unmet> unmet(int ranks, int microBatches) {
    return Optional.empty();
  }

  /** Position of a chunk of a rank. */
  default int position(Pipeline pipeline, int rank, int chunk) {
    return chunk * pipeline.ranks() + rank;
  }

  /** Steps along the ranks to the one that holds the next position, which there is. */
  default int toNext(Pipeline pipeline, int rank, int chunk) {
    return rank == pipeline.ranks() - 1 ? 1 - pipeline.ranks() : 1;
  }

  /** Steps along the ranks to the one that holds the position before, which there is. */
  default int toPrevious(Pipeline pipeline, int rank, int chunk) {
    return rank == 0 ? pipeline.ranks() - 1 : -1;
  }
}
