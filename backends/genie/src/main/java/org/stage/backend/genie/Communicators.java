package org.stage.backend.genie;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.stage.api.workload.Group;
import org.stage.api.workload.JobMesh;
import org.stage.backend.chakra.format.GroupTable;

/** Numbers the communicators of all jobs. The one of all ranks needs no number. */
final class Communicators {
  /** All ranks. */
  static final int ALL = 0;

  private final int devices;
  private final GroupTable table = new GroupTable();
  private final Map<Group, Map<Integer, Integer>> ids = new HashMap<>();
  private final Map<Integer, Set<Integer>> used = new HashMap<>();

  /**
   * None so far.
   *
   * @param devices ranks of all jobs together
   */
  Communicators(int devices) {
    this.devices = devices;
  }

  /** The id of the communicator that {@code group} means for {@code rank} of the job on a mesh. */
  int id(JobMesh mesh, Group group, int rank) {
    if (group.size() == devices) {
      return ALL;
    }
    Map<Integer, Integer> byRank = ids.computeIfAbsent(group, each -> new HashMap<>());
    if (!byRank.containsKey(rank)) {
      List<Integer> members = mesh.members(group, rank);
      int id = table.id(members.stream().mapToInt(Integer::intValue).toArray());
      members.forEach(member -> byRank.put(member, id));
    }
    int id = byRank.getOrDefault(rank, ALL);
    used.computeIfAbsent(rank, each -> new HashSet<>()).add(id);
    return id;
  }

  /** All but the one of all ranks. */
  GroupTable table() {
    return table;
  }

  /** Communicators of the rank that has most of them. */
  int mostPerRank() {
    return used.values().stream().mapToInt(Set::size).max().orElse(0);
  }

  /** Communicators whose members are all in one block of {@code size} contiguous ranks. */
  long within(int size) {
    long within = 0;
    for (int id = 1; id <= table.size(); id++) {
      int[] members = table.members(id);
      boolean one = true;
      for (int member : members) {
        one &= member / size == members[0] / size;
      }
      within += one ? 1 : 0;
    }
    return within;
  }
}
