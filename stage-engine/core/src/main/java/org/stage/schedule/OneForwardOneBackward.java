package org.stage.schedule;

import java.util.List;
import java.util.Optional;

/** One forward, one backward in turn after a warm-up (PipeDream-flush, arXiv 2104.04473). */
public record OneForwardOneBackward() implements Schedule {
  @Override
  public String name() {
    return "1f1b";
  }

  /** Before its first backward, a stage runs one forward for each stage behind it. */
  @Override
  public List<Turn> turns(Pipeline pipeline, int rank) {
    return Alternation.turns(pipeline, pipeline.ranks() - 1 - rank);
  }

  @Override
  public Optional<ClosedForm> closedForm(Pipeline pipeline, Costs costs) {
    long idle = (pipeline.ranks() - 1L) * costs.all();
    return Optional.of(new ClosedForm(idle, "(p-1)(F+B)", "arXiv 2104.04473"));
  }
}
