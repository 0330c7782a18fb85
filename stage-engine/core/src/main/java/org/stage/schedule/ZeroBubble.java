package org.stage.schedule;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Gradients of weights fill gaps: ZB-H1 (Qi et al., arXiv 2401.10241). It is 1F1B in which rank
 * {@code i} leaves the gradients of weights of {@code i} micro-batches behind, and fills with them
 * what was idle at the end.
 */
public record ZeroBubble() implements Schedule {
  @Override
  public String name() {
    return "zero-bubble";
  }

  @Override
  public boolean needsPipeline() {
    return true;
  }

  @Override
  public List<Turn> turns(Pipeline pipeline, int rank) {
    int microBatches = pipeline.microBatches();
    List<Turn> turns = new ArrayList<>(3 * microBatches);
    for (Turn turn : Alternation.turns(pipeline, pipeline.ranks() - 1 - rank)) {
      Slot slot = turn.slots().get(0);
      if (slot.pass() == Pass.FORWARD) {
        turns.add(turn);
        continue;
      }
      turns.add(Turn.of(Pass.INPUT_GRADIENTS, 0, slot.microBatch()));
      if (slot.microBatch() >= rank) {
        turns.add(Turn.of(Pass.WEIGHT_GRADIENTS, 0, slot.microBatch() - rank));
      }
    }
    for (int i = Math.max(0, microBatches - rank); i < microBatches; i++) {
      turns.add(Turn.of(Pass.WEIGHT_GRADIENTS, 0, i));
    }
    return List.copyOf(turns);
  }

  /**
   * Needs {@code m >= p}; exact where {@code W} is above neither {@code F} nor the rest of {@code
   * B}.
   */
  @Override
  public Optional<ClosedForm> closedForm(Pipeline pipeline, Costs costs) {
    if (pipeline.microBatches() < pipeline.ranks()) {
      return Optional.empty();
    }
    long idle = (pipeline.ranks() - 1L) * (costs.all() - 2 * costs.weightGradients());
    return Optional.of(new ClosedForm(idle, "(p-1)(F+B-2W)", "arXiv 2401.10241"));
  }
}
