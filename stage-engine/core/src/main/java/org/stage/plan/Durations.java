package org.stage.plan;

import java.util.OptionalLong;
import org.stage.state.Action;

/** How long actions take, where that is known better than by an estimate. */
@FunctionalInterface
public interface Durations {
  /** Nothing is known. */
  Durations NONE = (stage, unit, action) -> OptionalLong.empty();

  /**
   * How long an action takes, nanoseconds, if it is known.
   *
   * @param stage whose ranks do it
   * @param unit the name of the module at its place, {@code layers.17}; empty beside modules
   * @param action what they do
   */
  OptionalLong nanoseconds(StepPlan stage, String unit, Action action);
}
