package org.stage.schedule;

import java.util.List;
import java.util.Optional;

/**
 * A pipeline: which part of the model each rank holds, and in which order it works. A model is cut
 * into positions; a rank holds a chunk of layers at one or more of them, where its schedule says.
 *
 * @param schedule the order, and where chunks stand
 * @param ranks pipeline ranks
 * @param virtualStages chunks of a rank where the schedule has virtual stages, else 1
 * @param microBatches micro-batches of a step
 */
public record Pipeline(Schedule schedule, int ranks, int virtualStages, int microBatches) {
  /** Whether each chunk of the model is on two ranks, a rank and its mirror image. */
  public boolean hasCopies() {
    return schedule.hasCopies();
  }

  /** Whether a rank that holds one end of the model holds the other too. */
  public boolean holdsBothEnds() {
    return ranks == 1 || hasCopies();
  }

  /** Whether forward and backward passes overlap. */
  public boolean overlaps() {
    return schedule.overlaps();
  }

  /** Chunks that a rank holds. */
  public int chunks() {
    return hasCopies() ? 2 : virtualStages;
  }

  /** Positions into which the model is cut. */
  public int positions() {
    return ranks * virtualStages;
  }

  /** Micro-batches of a step that run through a chunk. */
  public int microBatchesOfChunk() {
    return hasCopies() ? microBatches / 2 : microBatches;
  }

  /** The first micro-batch that runs through a chunk; the others follow. */
  public int firstMicroBatch(int chunk) {
    return hasCopies() ? chunk * microBatchesOfChunk() : 0;
  }

  /** Position of a chunk of a rank. */
  public int position(int rank, int chunk) {
    return schedule.position(this, rank, chunk);
  }

  /** Whether nothing comes before a chunk: it holds the embedding. */
  public boolean isFirst(int rank, int chunk) {
    return position(rank, chunk) == 0;
  }

  /** Whether nothing comes behind a chunk: it holds the head. */
  public boolean isLast(int rank, int chunk) {
    return position(rank, chunk) == positions() - 1;
  }

  /** Steps along the ranks to the one that holds the next position, which there is. */
  public int toNext(int rank, int chunk) {
    return schedule.toNext(this, rank, chunk);
  }

  /** Steps along the ranks to the one that holds the position before, which there is. */
  public int toPrevious(int rank, int chunk) {
    return schedule.toPrevious(this, rank, chunk);
  }

  /**
   * A number of what passes between a position and the next: unique for each pair of ranks, also
   * where the next rank is the one before.
   *
   * @param position the lower of the two
   * @param microBatch index in the step
   * @param forward whether it is the output, and not its gradient
   */
  public int tag(int position, int microBatch, boolean forward) {
    int passed = Math.addExact(Math.multiplyExact(position / ranks, microBatches), microBatch);
    return Math.addExact(Math.multiplyExact(2, passed), forward ? 0 : 1);
  }

  /** The turns of a rank, in order. */
  public List<Turn> turns(int rank) {
    return schedule.turns(this, rank);
  }

  /** What the literature says of it, where it says something. */
  public Optional<ClosedForm> closedForm(Costs costs) {
    return schedule.closedForm(this, costs);
  }
}
