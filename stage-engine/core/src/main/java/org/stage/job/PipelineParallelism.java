package org.stage.job;

import java.util.List;
import java.util.stream.IntStream;
import org.stage.schedule.Schedule;

/**
 * How layers and micro-batches are laid on pipeline ranks.
 *
 * @param schedule order of micro-batches in the pipeline
 * @param virtualStages chunks of layers on each pipeline rank in the interleaved schedule, else 1
 * @param layersPerStage decoder layers of each pipeline stage, or virtual stage where there are
 *     several on a rank; sums to the model's layers
 */
public record PipelineParallelism(
    Schedule schedule, int virtualStages, List<Integer> layersPerStage) {
  /** Copies the list. */
  public PipelineParallelism {
    layersPerStage = List.copyOf(layersPerStage);
  }

  /** Layers of each stage: even, the first {@code layers mod stages} stages having one more. */
  public static List<Integer> even(int layers, int stages) {
    return IntStream.range(0, stages)
        .mapToObj(stage -> layers / stages + (stage < layers % stages ? 1 : 0))
        .toList();
  }

  /** Index of the first layer of {@code stage}. */
  public int firstLayer(int stage) {
    return layersPerStage.subList(0, stage).stream().reduce(0, Math::addExact);
  }
}
