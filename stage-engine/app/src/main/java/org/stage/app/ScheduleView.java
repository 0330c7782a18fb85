package org.stage.app;

import java.util.Locale;
import java.util.Optional;
import org.stage.api.diagnostic.InputException;
import org.stage.schedule.ClosedForm;
import org.stage.schedule.Costs;
import org.stage.schedule.InFlight;
import org.stage.schedule.Pipeline;
import org.stage.schedule.Simulation;

/**
 * The schedule of a pipeline, with equal costs.
 *
 * @param pipeline the pipeline
 * @param simulation its turns with their times
 * @param form what the literature says, where it says something
 */
public record ScheduleView(Pipeline pipeline, Simulation simulation, Optional<ClosedForm> form) {
  /** A simulation of more passes would not fit memory, nor its result a screen. */
  private static final long PASSES = 5_000_000;

  /**
   * Simulates a pipeline.
   *
   * @param file where it is asked for, for messages
   * @throws InputException if it has too many passes
   */
  public static ScheduleView of(Pipeline pipeline, String file) {
    long passes = 3L * pipeline.microBatches() * pipeline.positions();
    if (passes > PASSES) {
      throw new InputException(
          file,
          String.format(Locale.ROOT, "%,d", passes)
              + " passes are too many to show the schedule of",
          "The order repeats: lower training.global_batch with --set.");
    }
    return new ScheduleView(
        pipeline, Simulation.of(pipeline, Costs.EQUAL), pipeline.closedForm(Costs.EQUAL));
  }

  /** The name of the schedule. */
  public String name() {
    return pipeline.schedule().name();
  }

  /** The most micro-batches that {@code rank} has begun and not ended. */
  public InFlight inFlight(int rank) {
    return InFlight.of(pipeline, rank);
  }
}
