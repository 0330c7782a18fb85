package org.stage.plan;

import java.util.IdentityHashMap;
import java.util.OptionalLong;
import java.util.function.Function;
import org.stage.api.workload.Details;
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

  /** The same of the actions of one module as nodes have it; each is asked for once. */
  default Function<Action, Details> details(StepPlan stage, String unit) {
    IdentityHashMap<Action, Details> known = new IdentityHashMap<>();
    return action -> known.computeIfAbsent(action, each -> of(nanoseconds(stage, unit, each)));
  }

  private static Details of(OptionalLong nanoseconds) {
    return nanoseconds.isPresent() ? Details.ofDuration(nanoseconds.getAsLong()) : Details.NONE;
  }
}
