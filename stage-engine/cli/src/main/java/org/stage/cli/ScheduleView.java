package org.stage.cli;

import java.util.Optional;
import org.stage.api.diagnostic.InputException;
import org.stage.schedule.ClosedForm;
import org.stage.schedule.Costs;
import org.stage.schedule.Pipeline;
import org.stage.schedule.Simulation;

/**
 * What {@code stage inspect --schedule} shows of a pipeline, with equal costs.
 *
 * @param pipeline the pipeline
 * @param simulation its turns with their times
 * @param form what the literature says, where it says something
 */
record ScheduleView(Pipeline pipeline, Simulation simulation, Optional<ClosedForm> form) {
  /** A simulation of more passes would not fit memory, nor its result a screen. */
  private static final long PASSES = 5_000_000;

  /**
   * Simulates a pipeline.
   *
   * @throws InputException if it has too many passes
   */
  static ScheduleView of(Pipeline pipeline, String file) {
    long passes = 3L * pipeline.microBatches() * pipeline.positions();
    if (passes > PASSES) {
      throw new InputException(
          file,
          Units.count(passes) + " passes are too many to show the schedule of",
          "The order repeats: lower training.global_batch with --set.");
    }
    return new ScheduleView(
        pipeline, Simulation.of(pipeline, Costs.EQUAL), ClosedForm.of(pipeline, Costs.EQUAL));
  }
}
