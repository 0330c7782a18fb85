package org.stage.schedule;

import java.util.List;
import java.util.Optional;

/**
 * Micro-batches from both ends (DeepSeek-V3 report, arXiv 2412.19437). Chunk 0 of rank {@code i} is
 * at position {@code i}, chunk 1 at {@code p - 1 - i}; both hold a copy of their layers. The first
 * half of the micro-batches runs through the chunks 0, the second in the reverse direction through
 * the chunks 1.
 */
public record DualPipe() implements Schedule {
  @Override
  public String name() {
    return "dualpipe";
  }

  @Override
  public boolean needsPipeline() {
    return true;
  }

  @Override
  public boolean hasCopies() {
    return true;
  }

  @Override
  public boolean overlaps() {
    return true;
  }

  @Override
  public List<Turn> turns(Pipeline pipeline, int rank) {
    return DualPipeOrder.turns(pipeline, rank);
  }

  /** Exact where {@code F}, {@code W} and the rest of {@code B} are equal. */
  @Override
  public Optional<ClosedForm> closedForm(Pipeline pipeline, Costs costs) {
    long idle =
        (pipeline.ranks() / 2 - 1L)
            * (costs.all() + costs.backward() - 3 * costs.weightGradients());
    return Optional.of(new ClosedForm(idle, "(p/2-1)(FB+B-3W)", "arXiv 2412.19437"));
  }

  @Override
  public Optional<Unmet> unmet(int ranks, int microBatches) {
    if (ranks % 2 != 0) {
      return Optional.of(
          Unmet.ranks(
              ranks + " is odd; dualpipe mirrors one half of the ranks in the other",
              "Nearest that are even",
              List.of(ranks - 1L, ranks + 1L)));
    }
    if (microBatches < 2 * ranks) {
      return Optional.of(
          Unmet.microBatches(
              String.format(
                  "%d micro-batches are fewer than 2 x mesh.pp %d, as dualpipe needs",
                  microBatches, ranks),
              List.of(2L * ranks)));
    }
    if (microBatches % 2 != 0) {
      return Optional.of(
          Unmet.microBatches(
              microBatches + " micro-batches are odd; dualpipe sends half of them each way",
              List.of(microBatches - 1L, microBatches + 1L)));
    }
    return Optional.empty();
  }

  @Override
  public int position(Pipeline pipeline, int rank, int chunk) {
    return chunk == 1 ? pipeline.ranks() - 1 - rank : rank;
  }

  @Override
  public int toNext(Pipeline pipeline, int rank, int chunk) {
    return chunk == 1 ? -1 : 1;
  }

  @Override
  public int toPrevious(Pipeline pipeline, int rank, int chunk) {
    return chunk == 1 ? 1 : -1;
  }
}
