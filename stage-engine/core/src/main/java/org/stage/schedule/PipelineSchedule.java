package org.stage.schedule;

import java.util.ArrayList;
import java.util.List;

/** The order of passes on each pipeline rank. */
final class PipelineSchedule {
  private PipelineSchedule() {}

  static List<Turn> turns(Pipeline pipeline, int rank) {
    int ranks = pipeline.ranks();
    int microBatches = pipeline.microBatches();
    return switch (pipeline.kind()) {
      case GPIPE -> alternate(pipeline, microBatches);
      // Before its first backward, a stage runs one forward for each stage behind it.
      case ONE_F_ONE_B -> alternate(pipeline, Math.min(microBatches, ranks - 1 - rank));
      case INTERLEAVED -> {
        int warmUp = 2 * (ranks - 1 - rank) + (pipeline.virtualStages() - 1) * ranks;
        yield alternate(pipeline, Math.min(microBatches * pipeline.virtualStages(), warmUp));
      }
      case ZERO_BUBBLE -> zeroBubble(pipeline, rank);
      case DUALPIPE -> DualPipeOrder.turns(pipeline, rank);
    };
  }

  /** One forward, one backward in turn after {@code warmUp} forwards. */
  private static List<Turn> alternate(Pipeline pipeline, int warmUp) {
    int passes = pipeline.microBatches() * pipeline.chunks();
    List<Turn> turns = new ArrayList<>(2 * passes);
    for (int i = 0; i < warmUp; i++) {
      turns.add(forward(pipeline, i));
    }
    for (int i = warmUp; i < passes; i++) {
      turns.add(forward(pipeline, i));
      turns.add(backward(pipeline, i - warmUp));
    }
    for (int i = passes - warmUp; i < passes; i++) {
      turns.add(backward(pipeline, i));
    }
    return List.copyOf(turns);
  }

  /** As many micro-batches as there are ranks run through a chunk, then through the next. */
  private static Turn forward(Pipeline pipeline, int index) {
    int chunk = index / pipeline.ranks() % pipeline.chunks();
    return Turn.of(Pass.FORWARD, chunk, microBatch(pipeline, index));
  }

  private static Turn backward(Pipeline pipeline, int index) {
    int chunk = pipeline.chunks() - 1 - index / pipeline.ranks() % pipeline.chunks();
    return Turn.of(Pass.BACKWARD, chunk, microBatch(pipeline, index));
  }

  private static int microBatch(Pipeline pipeline, int index) {
    int ranks = pipeline.ranks();
    return index / (ranks * pipeline.chunks()) * ranks + index % ranks;
  }

  /**
   * ZB-H1 (Qi et al., arXiv 2401.10241): 1F1B in which rank {@code i} leaves the gradients of
   * weights of {@code i} micro-batches behind, and fills with them what was idle at the end.
   */
  private static List<Turn> zeroBubble(Pipeline pipeline, int rank) {
    int microBatches = pipeline.microBatches();
    List<Turn> turns = new ArrayList<>(3 * microBatches);
    for (Turn turn : alternate(pipeline, Math.min(microBatches, pipeline.ranks() - 1 - rank))) {
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
}
