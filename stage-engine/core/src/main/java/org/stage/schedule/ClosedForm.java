package org.stage.schedule;

import java.util.Optional;

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
  /**
   * The closed form of a pipeline, where there is one: ZB-H1's needs {@code m >= p}. ZB-H1's is
   * exact where W is above neither F nor the rest of B, DualPipe's where F, W and the rest of B are
   * equal; the others always are.
   *
   * @param costs those of a pass through a chunk
   */
  public static Optional<ClosedForm> of(Pipeline pipeline, Costs costs) {
    long others = pipeline.ranks() - 1L;
    return switch (pipeline.kind()) {
      case GPIPE ->
          Optional.of(new ClosedForm(others * costs.all(), "(p-1)(F+B)", "arXiv 1811.06965"));
      case ONE_F_ONE_B ->
          Optional.of(new ClosedForm(others * costs.all(), "(p-1)(F+B)", "arXiv 2104.04473"));
      // The costs are those of a chunk: F/v and B/v.
      case INTERLEAVED ->
          Optional.of(new ClosedForm(others * costs.all(), "(p-1)(F+B)/v", "arXiv 2104.04473"));
      case ZERO_BUBBLE ->
          pipeline.microBatches() < pipeline.ranks()
              ? Optional.empty()
              : Optional.of(
                  new ClosedForm(
                      others * (costs.all() - 2 * costs.weightGradients()),
                      "(p-1)(F+B-2W)",
                      "arXiv 2401.10241"));
      case DUALPIPE ->
          Optional.of(
              new ClosedForm(
                  (pipeline.ranks() / 2 - 1L)
                      * (costs.all() + costs.backward() - 3 * costs.weightGradients()),
                  "(p/2-1)(FB+B-3W)",
                  "arXiv 2412.19437"));
    };
  }

  /** The share of the step in which every rank is idle. */
  public Share share(Pipeline pipeline, Costs costs) {
    long turns = (long) pipeline.chunks() * pipeline.microBatchesOfChunk();
    return new Share(idle, Math.addExact(Math.multiplyExact(turns, costs.all()), idle));
  }
}
