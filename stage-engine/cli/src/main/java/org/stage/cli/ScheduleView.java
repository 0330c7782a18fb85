package org.stage.cli;

import java.util.Locale;
import java.util.Optional;
import org.stage.api.diagnostic.Diagnostic;
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

  /** Says so where a pipeline wastes much of its ranks' time. */
  static void warn(Stage stage, Pipeline pipeline) {
    int microBatches = pipeline.microBatches();
    if (microBatches < pipeline.ranks()) {
      stage.say(
          Diagnostic.warning(
              "training.global_batch",
              String.format(
                  Locale.ROOT,
                  "%s fewer than the %d pipeline ranks: the pipeline is never full",
                  microBatches == 1 ? "1 micro-batch is" : microBatches + " micro-batches are",
                  pipeline.ranks()),
              "Raise it, or lower mesh.pp or training.micro_batch."));
    }
  }
}
