package org.stage.schedule;

import java.util.List;
import java.util.stream.IntStream;

/** Which decoder layers stand on which pipeline stage. */
public final class StagePartition {
  private StagePartition() {}

  /** Layers of each stage: even, the first {@code layers mod stages} stages having one more. */
  public static List<Integer> even(int layers, int stages) {
    return IntStream.range(0, stages)
        .mapToObj(stage -> layers / stages + (stage < layers % stages ? 1 : 0))
        .toList();
  }

  /** Index of the first layer of {@code stage}. */
  public static int firstLayer(List<Integer> layersPerStage, int stage) {
    return layersPerStage.subList(0, stage).stream().mapToInt(Integer::intValue).sum();
  }
}
