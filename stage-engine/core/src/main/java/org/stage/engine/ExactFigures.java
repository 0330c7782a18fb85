package org.stage.engine;

import java.util.function.Supplier;
import org.stage.api.diagnostic.InputException;
import org.stage.job.Batch;
import org.stage.job.Job;

/**
 * Figures are exact and fit 63 bits, or there are none: each key of a file may be in its range and
 * their product not. Then the job is refused, which is no fault of the engine.
 */
final class ExactFigures {
  private ExactFigures() {}

  /**
   * What {@code figures} yields.
   *
   * @throws InputException if a figure of {@code job} does not fit
   */
  static <T> T of(Job job, Supplier<T> figures) {
    try {
      return figures.get();
    } catch (ArithmeticException e) {
      if ("/ by zero".equals(e.getMessage())) {
        throw e;
      }
      Batch batch = job.training().batch();
      InputException refused =
          new InputException(
              "training.micro_batch",
              batch.micro()
                  + " sequences of "
                  + batch.seq()
                  + " tokens through "
                  + job.model().name()
                  + " make figures of one rank and step beyond 63 bits (9.2 x 10^18)",
              "Make training.micro_batch, training.seq, training.global_batch or the model smaller.");
      refused.initCause(e);
      throw refused;
    }
  }
}
