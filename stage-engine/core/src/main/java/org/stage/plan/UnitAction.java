package org.stage.plan;

import org.stage.state.Action;
import org.stage.state.StateAction;

/**
 * An action at its place on a stage.
 *
 * @param unit index of the module, among those of the stage, on whose values or states it works
 * @param place what its name begins with: the module's, {@code layers.17}; empty beside modules
 * @param action what is done
 */
public record UnitAction(int unit, String place, Action action) {
  /** Its name in the job, without micro-batch: {@code layers.17.mlp.up}. */
  public String name() {
    return place.isEmpty() ? action.name() : place + "." + action.name();
  }

  /**
   * Whether it is a collective of a program, or a message that goes out: something that other
   * devices wait for before the step ends. States have lanes of their own.
   */
  public boolean communicates() {
    return !(action instanceof StateAction) && action.work().communicates();
  }
}
