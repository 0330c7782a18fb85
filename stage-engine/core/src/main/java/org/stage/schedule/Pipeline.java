package org.stage.schedule;

import java.util.List;
import org.stage.job.Job;
import org.stage.job.PipelineParallelism;
import org.stage.job.PipelineParallelism.Schedule;

/**
 * A pipeline: which part of the model each rank holds, and in which order it works. A model is cut
 * into positions; a rank holds a chunk of layers at one or more of them.
 *
 * <ul>
 *   <li>interleaved: chunk {@code c} of rank {@code i} is at position {@code c p + i}, so the last
 *       rank sends to the first;
 *   <li>DualPipe: chunk 0 of rank {@code i} is at position {@code i}, chunk 1 at {@code p - 1 - i}.
 *       Both hold a copy of their layers. The first half of the micro-batches runs through the
 *       chunks 0, the second in the reverse direction through the chunks 1;
 *   <li>else rank {@code i} holds one chunk, at position {@code i}.
 * </ul>
 *
 * @param kind the schedule
 * @param ranks pipeline ranks
 * @param virtualStages chunks of a rank in the interleaved schedule, else 1
 * @param microBatches micro-batches of a step
 */
public record Pipeline(Schedule kind, int ranks, int virtualStages, int microBatches) {
  /** The pipeline of a job; of one rank where it has none. */
  public static Pipeline of(Job job) {
    PipelineParallelism how = job.strategy().pipeline();
    int microBatches = job.training().batch().microBatches();
    return new Pipeline(how.schedule(), job.mesh().degree("pp"), how.virtualStages(), microBatches);
  }

  /** Whether each chunk of the model is on two ranks, a rank and its mirror image. */
  public boolean hasCopies() {
    return kind.hasCopies();
  }

  /** Whether forward and backward passes overlap. */
  public boolean overlaps() {
    return kind == Schedule.DUALPIPE;
  }

  /** Chunks that a rank holds. */
  public int chunks() {
    return kind == Schedule.DUALPIPE ? 2 : virtualStages;
  }

  /** Positions into which the model is cut. */
  public int positions() {
    return ranks * virtualStages;
  }

  /** Micro-batches of a step that run through a chunk. */
  public int microBatchesOfChunk() {
    return kind == Schedule.DUALPIPE ? microBatches / 2 : microBatches;
  }

  /** The first micro-batch that runs through a chunk; the others follow. */
  public int firstMicroBatch(int chunk) {
    return kind == Schedule.DUALPIPE ? chunk * microBatchesOfChunk() : 0;
  }

  /** Position of a chunk of a rank. */
  public int position(int rank, int chunk) {
    return isReverse(chunk) ? ranks - 1 - rank : chunk * ranks + rank;
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
    return isReverse(chunk) ? -1 : rank == ranks - 1 ? 1 - ranks : 1;
  }

  /** Steps along the ranks to the one that holds the position before, which there is. */
  public int toPrevious(int rank, int chunk) {
    return isReverse(chunk) ? 1 : rank == 0 ? ranks - 1 : -1;
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
    return PipelineSchedule.turns(this, rank);
  }

  private boolean isReverse(int chunk) {
    return kind == Schedule.DUALPIPE && chunk == 1;
  }
}
