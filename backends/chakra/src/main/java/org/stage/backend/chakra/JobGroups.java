package org.stage.backend.chakra;

import java.util.HashMap;
import java.util.Map;
import org.stage.api.workload.JobMesh;
import org.stage.backend.chakra.format.GroupTable;

/** The communicators of all jobs of an export, numbered in one row. */
final class JobGroups {
  private final GroupTable table = new GroupTable();
  private final Map<JobMesh, RankGroups> byJob = new HashMap<>();

  GroupTable table() {
    return table;
  }

  /** Those of the job on {@code mesh}. */
  RankGroups of(JobMesh mesh) {
    return byJob.computeIfAbsent(mesh, added -> new RankGroups(added, table));
  }
}
