package org.stage.analyze;

import java.util.List;
import org.stage.instantiate.StagePlan;

/**
 * Parameters that ZeRO-3 gathers twice: they are there while a module is in use, or soon will be.
 */
final class Gathered {
  private Gathered() {}

  /**
   * Most elements gathered at once.
   *
   * @param units modules in the order of a pass
   * @param inUse how many of them follow one another in the buffers
   */
  static long most(List<StagePlan.Unit> units, int inUse) {
    long most = 0;
    long now = 0;
    for (int i = 0; i < units.size(); i++) {
      now = Math.addExact(now, elements(units.get(i)));
      now -= i >= inUse ? elements(units.get(i - inUse)) : 0;
      most = Math.max(most, now);
    }
    return most;
  }

  private static long elements(StagePlan.Unit unit) {
    boolean twice = !unit.plan().exchange().beforeBackward().isEmpty();
    return twice ? unit.plan().parameterElements() : 0;
  }
}
