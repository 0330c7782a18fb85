package org.stage.analyze;

import java.util.List;
import org.stage.api.workload.RankSet;

/**
 * Device memory of a rank over a step, turn by turn and module by module. Model states and
 * workspace are there all the time; activations come and go. The step ends with the optimizer,
 * which works in place.
 *
 * @param stage pipeline rank
 * @param ranks the ranks of the class
 * @param moments in order; at least one
 */
public record MemoryTimeline(int stage, RankSet ranks, List<Moment> moments) {
  /** Copies the list. */
  public MemoryTimeline {
    moments = List.copyOf(moments);
  }

  /**
   * A module at work, or two in passes that overlap.
   *
   * @param turn index of the turn of the rank
   * @param passes the turn as schedules write it: {@code F3}, {@code B3}, {@code F3&B1}
   * @param modules names of the modules at work
   * @param memory the most that is alive meanwhile
   * @param kept bytes of activations that stay afterwards
   */
  public record Moment(int turn, String passes, List<String> modules, Memory memory, long kept) {
    /** Copies the list. */
    public Moment {
      modules = List.copyOf(modules);
    }
  }

  /** The first moment at which the most memory is used. */
  public Moment peak() {
    Moment peak = moments.get(0);
    for (Moment moment : moments) {
      peak = moment.memory().peak() > peak.memory().peak() ? moment : peak;
    }
    return peak;
  }
}
