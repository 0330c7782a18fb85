package org.stage.schedule;

import java.util.List;
import java.util.Optional;

/** Chunks of layers in turn on each rank (Narayanan et al., arXiv 2104.04473). */
public record Interleaved() implements Schedule {
  @Override
  public String name() {
    return "interleaved";
  }

  @Override
  public boolean needsPipeline() {
    return true;
  }

  @Override
  public boolean hasVirtualStages() {
    return true;
  }

  @Override
  public List<Turn> turns(Pipeline pipeline, int rank) {
    int ranks = pipeline.ranks();
    int warmUp = 2 * (ranks - 1 - rank) + (pipeline.virtualStages() - 1) * ranks;
    return Alternation.turns(pipeline, warmUp);
  }

  /** The costs are those of a chunk: {@code F/v} and {@code B/v}. */
  @Override
  public Optional<ClosedForm> closedForm(Pipeline pipeline, Costs costs) {
    long idle = (pipeline.ranks() - 1L) * costs.all();
    return Optional.of(new ClosedForm(idle, "(p-1)(F+B)/v", "arXiv 2104.04473"));
  }

  @Override
  public Optional<Unmet> unmet(int ranks, int microBatches) {
    if (microBatches % ranks == 0) {
      return Optional.empty();
    }
    long below = (long) microBatches / ranks * ranks;
    return Optional.of(
        Unmet.microBatches(
            String.format(
                "%d micro-batches are not a multiple of mesh.pp %d, as the interleaved schedule"
                    + " needs",
                microBatches, ranks),
            List.of(below, below + ranks)));
  }
}
