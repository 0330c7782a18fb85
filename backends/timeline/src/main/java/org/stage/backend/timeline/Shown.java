package org.stage.backend.timeline;

import java.util.List;
import java.util.stream.IntStream;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.RankSet;
import org.stage.sim.AlikeRanks;

/**
 * Which ranks the timeline shows.
 *
 * @param ranks these
 */
record Shown(RankSet ranks) {
  /** The wanted ranks; where all are wanted, which is the default, the lowest of each set. */
  static Shown of(Mesh mesh, Settings settings, RankSet wanted, List<AlikeRanks> sets) {
    if (wanted.size() < mesh.devices() || settings.everyRank()) {
      return new Shown(wanted);
    }
    return new Shown(RankSet.of(sets.stream().mapToInt(set -> set.ranks().first()).sorted()));
  }

  /** Those of {@code set}. */
  IntStream of(AlikeRanks set) {
    return ranks.stream().filter(set.ranks()::contains);
  }
}
