package org.stage.backend.chakra;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.stage.api.workload.JobMesh;
import org.stage.api.workload.Workload;
import org.stage.backend.chakra.format.Attributes;
import org.stage.backend.chakra.format.GroupFile;
import org.stage.backend.chakra.format.GroupTable;
import org.stage.backend.chakra.format.proto.AttributeProto;

/** The communicators of all jobs of an export, numbered in one row. */
final class JobGroups {
  private final Workload workload;
  private final Map<String, List<Integer>> named;
  private final GroupTable table;
  private final DimensionGroups byDimension;
  private final Map<JobMesh, RankGroups> byJob = new HashMap<>();
  private final Map<Integer, AttributeProto> said = new HashMap<>();

  /**
   * Numbers above those of the communicators that have names already.
   *
   * @param named members by name, for those of a trace that was read
   * @param byDimension which are said by network dimensions
   */
  JobGroups(Workload workload, Map<String, List<Integer>> named, DimensionGroups byDimension) {
    this.workload = workload;
    this.byDimension = byDimension;
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

  /** The network, cut where groups are said by its dimensions. */
  Fabric fabric() {
    return byDimension.fabric();
  }

  /** The communicators that are listed. */
  GroupTable table() {
    return table;
  }

  /** The communicators of the job on {@code mesh}, by numbers that only this export knows. */
  RankGroups of(JobMesh mesh) {
    return byJob.computeIfAbsent(
        mesh, added -> new RankGroups(workload, added, byDimension.communicators()));
  }

  /** How a collective says its communicator. */
  AttributeProto said(int communicator) {
    return said.computeIfAbsent(communicator, this::say);
  }

  /** Whether any communicator so far is said by network dimensions. */
  boolean saidByDimension() {
    return said.values().stream().anyMatch(each -> !each.hasStringVal());
  }

  /** Whether it is said by its members, and not by network dimensions. */
  boolean isListed(int communicator) {
    return said(communicator).hasStringVal();
  }

  private AttributeProto say(int communicator) {
    return byDimension
        .dimensions(communicator)
        .map(dimensions -> Attributes.bools("involved_dim", dimensions))
        .orElseGet(() -> list(communicator));
  }

  private AttributeProto list(int communicator) {
    int id = table.id(members(communicator));
    return Attributes.string("pg_name", Integer.toString(id));
  }

  /** The members of a communicator. */
  int[] members(int communicator) {
    return byDimension.communicators().members(communicator);
  }
}
