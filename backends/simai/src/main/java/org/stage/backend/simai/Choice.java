package org.stage.backend.simai;

import java.util.List;

/** Which stages get a file. */
final class Choice {
  private Choice() {}

  static List<StageRows> of(List<StageRows> all, Settings.Stage which) {
    return switch (which) {
      case FIRST -> List.of(all.get(0));
      case LAST -> List.of(all.get(all.size() - 1));
      case HEAVIEST -> List.of(all.stream().reduce(Choice::heavier).orElseThrow());
      case ALL -> all;
    };
  }

  /**
   * Of two classes of ranks of one stage the one that computes longer, saying so if they differ.
   */
  static StageRows ofOneStage(StageRows first, StageRows second) {
    StageRows taken = heavier(first, second);
    if (!first.rows().equals(second.rows())) {
      taken.losses().unlike(taken.stage());
    }
    return taken;
  }

  /** The one that computes longer; of equal ones the first. */
  static StageRows heavier(StageRows first, StageRows second) {
    return second.totals().nanoseconds() > first.totals().nanoseconds() ? second : first;
  }
}
