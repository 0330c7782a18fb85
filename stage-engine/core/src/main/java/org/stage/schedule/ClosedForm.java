package org.stage.schedule;

/**
 * What the literature says of a schedule with equal costs; {@code p} ranks, {@code m} micro-batches
 * of a step, {@code v} chunks of a rank, {@code F}, {@code B} and {@code W} the costs of a forward
 * pass, a whole backward pass and its part for weights.
 *
 * @param idle how long every rank is idle
 * @param text the formula of it
 * @param source who says so
 */
public record ClosedForm(long idle, String text, String source) {
  /** The share of the step in which every rank is idle. */
  public Share share(Pipeline pipeline, Costs costs) {
    long turns = (long) pipeline.chunks() * pipeline.microBatchesOfChunk();
    return new Share(idle, Math.addExact(Math.multiplyExact(turns, costs.all()), idle));
  }
}
