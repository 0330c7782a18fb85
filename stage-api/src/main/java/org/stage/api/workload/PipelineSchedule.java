package org.stage.api.workload;

import java.util.Objects;

/**
 * How micro-batches pass the stages of a pipeline. An exporter reads it whose format names the
 * schedule instead of having it in the order of nodes.
 *
 * @param name the word of workload files: {@code 1f1b}, {@code interleaved}, {@code zero-bubble};
 *     later versions may have others
 * @param virtualStages chunks of layers of a rank through which each micro-batch passes in turn; 1
 *     unless the schedule is interleaved
 */
public record PipelineSchedule(String name, int virtualStages) {
  /**
   * Checks the chunks.
   *
   * @throws IllegalArgumentException if there are none
   */
  public PipelineSchedule {
    Objects.requireNonNull(name);
    if (virtualStages < 1) {
      throw new IllegalArgumentException("a schedule of " + virtualStages + " virtual stages");
    }
  }
}
