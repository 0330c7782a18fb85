package org.stage.schedule;

import java.util.ArrayList;
import java.util.List;

/** Forward and backward passes in turn, which most schedules are made of. */
public final class Alternation {
  private Alternation() {}

  /**
   * One forward, one backward in turn after some forwards.
   *
   * @param forwards before the first backward pass's own; of fewer passes than that, all
   */
  public static List<Turn> turns(Pipeline pipeline, int forwards) {
    int passes = pipeline.microBatches() * pipeline.chunks();
    int warmUp = Math.min(passes, forwards);
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
}
