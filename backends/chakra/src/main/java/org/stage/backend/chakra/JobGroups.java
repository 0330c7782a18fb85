package org.stage.backend.chakra;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.stage.api.workload.JobMesh;
import org.stage.api.workload.Workload;
import org.stage.backend.chakra.format.GroupFile;
import org.stage.backend.chakra.format.GroupTable;

/** The communicators of all jobs of an export, numbered in one row. */
final class JobGroups {
  private final Workload workload;
  private final Map<String, List<Integer>> named;
  private final GroupTable table;
  private final Map<JobMesh, RankGroups> byJob = new HashMap<>();

  /**
   * Numbers above those of the communicators that have names already.
   *
   * @param named members by name, for those of a trace that was read
   */
  JobGroups(Workload workload, Map<String, List<Integer>> named) {
    this.workload = workload;
    this.named = named;
    int highest =
        named.keySet().stream()
            .filter(name -> name.matches("\\d{1,8}"))
            .mapToInt(Integer::parseInt)
            .max()
            .orElse(0);
    this.table = new GroupTable(highest + 1);
  }

  /** Writes the file of communicators. */
  void write(Path file) throws IOException {
    Map<String, List<Integer>> written = new LinkedHashMap<>(named);
    // to the simulator they mean all ranks already, and in the file it refuses them
    written.keySet().removeIf(name -> name.isEmpty() || name.matches("0+"));
    GroupFile.write(file, written, table);
  }

  GroupTable table() {
    return table;
  }

  /** Those of the job on {@code mesh}. */
  RankGroups of(JobMesh mesh) {
    return byJob.computeIfAbsent(mesh, added -> new RankGroups(workload, added, table));
  }
}
