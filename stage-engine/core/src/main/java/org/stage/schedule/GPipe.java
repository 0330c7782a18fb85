package org.stage.schedule;

import java.util.List;
import java.util.Optional;

/** All forwards, then all backwards (Huang et al., arXiv 1811.06965). */
public record GPipe() implements Schedule {
  @Override
  public String name() {
    return "gpipe";
  }

  @Override
  public List<Turn> turns(Pipeline pipeline, int rank) {
    return Alternation.turns(pipeline, pipeline.microBatches());
  }

  @Override
  public Optional<ClosedForm> closedForm(Pipeline pipeline, Costs costs) {
    long idle = (pipeline.ranks() - 1L) * costs.all();
    return Optional.of(new ClosedForm(idle, "(p-1)(F+B)", "arXiv 1811.06965"));
  }
}
