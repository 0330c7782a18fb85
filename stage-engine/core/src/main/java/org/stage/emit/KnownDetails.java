package org.stage.emit;

import java.util.IdentityHashMap;
import org.stage.api.workload.Details;
import org.stage.plan.Durations;
import org.stage.plan.StepPlan;
import org.stage.state.Action;

/** What is known of the actions of a module on a stage; each is asked for once. */
final class KnownDetails {
  private final Durations durations;
  private final StepPlan stage;
  private final String unit;
  private final IdentityHashMap<Action, Details> known = new IdentityHashMap<>();

  KnownDetails(Durations durations, StepPlan stage, String unit) {
    this.durations = durations;
    this.stage = stage;
    this.unit = unit;
  }

  Details of(Action action) {
    return known.computeIfAbsent(action, this::ask);
  }

  private Details ask(Action action) {
    var nanoseconds = durations.nanoseconds(stage, unit, action);
    return nanoseconds.isPresent() ? Details.ofDuration(nanoseconds.getAsLong()) : Details.NONE;
  }
}
