package org.stage.job;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

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

  /** Pipeline schedules. */
  public enum Schedule {
    /** All forwards, then all backwards (Huang et al., arXiv 1811.06965). */
    GPIPE,
    /** One forward, one backward in turn after a warm-up (PipeDream-flush, arXiv 2104.04473). */
    ONE_F_ONE_B,
    /** Chunks of layers in turn on each rank (Narayanan et al., arXiv 2104.04473). */
    INTERLEAVED,
    /** Gradients of weights fill gaps: ZB-H1 (Qi et al., arXiv 2401.10241). */
    ZERO_BUBBLE,
    /** Micro-batches from both ends (DeepSeek-V3 report, arXiv 2412.19437). */
    DUALPIPE;

    private static final Map<String, Schedule> BY_TEXT =
        Map.of(
            "gpipe", GPIPE,
            "1f1b", ONE_F_ONE_B,
            "interleaved", INTERLEAVED,
            "zero-bubble", ZERO_BUBBLE,
            "dualpipe", DUALPIPE);

    /** The schedule that files call {@code text}, which is one of them. */
    public static Schedule ofText(String text) {
      return Objects.requireNonNull(BY_TEXT.get(text));
    }

    /** Whether each chunk of the model is on two ranks, a rank and its mirror image. */
    public boolean hasCopies() {
      return this == DUALPIPE;
    }

    /** The word of files: {@code zero-bubble}. */
    public String text() {
      return this == ONE_F_ONE_B ? "1f1b" : name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }
}
