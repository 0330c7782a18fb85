package org.stage.backend.chakra;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.stage.api.diagnostic.WorkException;
import org.stage.api.workload.Group;
import org.stage.api.workload.JobMesh;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.Peer;
import org.stage.api.workload.SubAxis;
import org.stage.api.workload.Workload;
import org.stage.backend.chakra.format.GroupTable;

/**
 * Finds the numbers of the communicators of one job. A communicator is found by its lowest member,
 * which is arithmetic; members are listed once per communicator and not once per rank, as a group
 * of all of 131,072 ranks could not be listed for each of them.
 */
final class RankGroups {
  private final Workload workload;
  private final JobMesh job;
  private final Mesh mesh;
  private final GroupTable table;
  private final Map<Group, Located> located = new HashMap<>();

  RankGroups(Workload workload, JobMesh job, GroupTable table) {
    this.workload = workload;
    this.job = job;
    this.mesh = job.mesh();
    this.table = table;
  }

  JobMesh mesh() {
    return job;
  }

  /** The rank at the other end of a message. */
  int peer(int rank, Peer peer) {
    return workload.peer(job, rank, peer);
  }

  /** The id of the communicator that {@code group} means for {@code rank}. */
  int id(Group group, int rank) {
    Located there = located.computeIfAbsent(group, this::locate);
    return there.idByLowest.computeIfAbsent(
        there.lowest(job, rank), lowest -> table.id(members(group, job.ranks().get(lowest))));
  }

  private int[] members(Group group, int rank) {
    return job.members(group, rank).stream().mapToInt(Integer::intValue).toArray();
  }

  /**
   * Sizes of blocks of ranks that {@code group} is made of: what is between its members, and all.
   */
  List<Integer> edges(Group group) {
    Located there = located.computeIfAbsent(group, this::locate);
    List<Integer> edges = new ArrayList<>();
    for (int i = 0; i < there.strides.length; i++) {
      edges.add(there.strides[i]);
      edges.add(there.strides[i] * there.sizes[i]);
    }
    return edges;
  }

  private Located locate(Group group) {
    if (group instanceof Group.Members some) {
      int stride = mesh.stride(some.axis());
      return new Located(
          new int[] {stride}, new int[] {mesh.degree(some.axis())}, some.coordinates());
    }
    List<SubAxis> axes = ((Group.Along) group).axes();
    int[] strides =
        axes.stream()
            .mapToInt(
                part ->
                    mesh.stride(part.axis())
                        * (mesh.degree(part.axis()) / (part.pre() * part.size())))
            .toArray();
    return new Located(strides, axes.stream().mapToInt(SubAxis::size).toArray(), List.of(0));
  }

  /** A group as arithmetic: what it spans, and which of the coordinates there are members. */
  private static final class Located {
    private final int[] strides;
    private final int[] sizes;
    private final List<Integer> coordinates;
    private final Map<Integer, Integer> idByLowest = new HashMap<>();

    Located(int[] strides, int[] sizes, List<Integer> coordinates) {
      this.strides = strides;
      this.sizes = sizes;
      this.coordinates = coordinates;
    }

    /** The lowest member of the group of {@code rank}, as a device of the job's mesh. */
    int lowest(JobMesh job, int rank) {
      int device = job.ranks().indexOf(rank);
      int lowest = device;
      for (int i = 0; i < strides.length; i++) {
        int here = device / strides[i] % sizes[i];
        if (coordinates.size() > 1 && !coordinates.contains(here)) {
          throw new WorkException(
              "rank " + rank,
              "issues a collective on members " + coordinates + " of an axis, standing at " + here,
              "This is a fault of the engine: a rank must be a member of its groups.");
        }
        lowest += (coordinates.get(0) - here) * strides[i];
      }
      return lowest;
    }
  }
}
