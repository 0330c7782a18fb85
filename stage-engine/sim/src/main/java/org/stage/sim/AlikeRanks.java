package org.stage.sim;

import java.util.List;
import org.stage.api.workload.JobMesh;
import org.stage.api.workload.RankSet;

/**
 * Ranks whose nodes all run at the same times.
 *
 * @param rankClass index of the rank class of which they are
 * @param stage pipeline rank
 * @param mesh the mesh of their job
 * @param ranks the ranks, at least one
 * @param places by relation of their graph
 */
public record AlikeRanks(
    int rankClass, int stage, JobMesh mesh, RankSet ranks, List<Place> places) {
  /** Copies the list. */
  public AlikeRanks {
    places = List.copyOf(places);
  }
}
