package org.stage.api.workload;

import java.util.List;
import java.util.Map;

/**
 * The mesh of one job, laid on ranks of a workload: the mesh's first device is the lowest of them,
 * and so on upwards. The groups and peers of a rank are found here, whether its job has the
 * workload for itself or shares it with others.
 *
 * @param name the job's name, which no other job of the workload has
 * @param mesh its mesh
 * @param ranks the ranks of the workload on which it lies, as many as the mesh has devices
 */
public record JobMesh(String name, Mesh mesh, RankSet ranks) {
  /**
   * Checks the sizes.
   *
   * @throws IllegalArgumentException if the mesh has more or fewer devices than there are ranks
   */
  public JobMesh {
    if (ranks.size() != mesh.devices()) {
      throw new IllegalArgumentException(
          "job " + name + " has " + mesh.devices() + " devices, but " + ranks.size() + " ranks");
    }
  }

  /** A job that has all ranks for itself. */
  public static JobMesh alone(String name, Mesh mesh) {
    RankSet.Range all = new RankSet.Range(0, mesh.devices() - 1);
    return new JobMesh(name, mesh, new RankSet(List.of(all)));
  }

  /**
   * The members of the group of {@code rank}, as ranks of the workload, ascending; the same list
   * for each of them.
   *
   * @throws IllegalArgumentException if {@code rank} is not of this job, or its group is not of the
   *     mesh, as {@link Mesh#members} says
   */
  public List<Integer> members(Group group, int rank) {
    return mesh.members(group, ranks.indexOf(rank)).stream().map(ranks::get).toList();
  }

  /**
   * The rank {@code offset} steps along {@code axis} from {@code rank}, modulo the degree.
   *
   * @throws IllegalArgumentException if {@code rank} is not of this job, or the mesh has no such
   *     axis
   */
  public int peer(int rank, String axis, int offset) {
    return ranks.get(mesh.peer(ranks.indexOf(rank), axis, offset));
  }

  /**
   * The rank at the other end of a message, where that is of this job.
   *
   * @throws IllegalArgumentException if {@code rank} is not of this job, the mesh has no such axis,
   *     or the peer is of another job, as {@link Workload#peer} finds it
   */
  public int peer(int rank, Peer peer) {
    if (peer instanceof Peer.Along along) {
      return peer(rank, along.axis(), along.offset());
    }
    throw new IllegalArgumentException(
        "the peer of rank " + rank + " is of job " + ((Peer.OfJob) peer).job() + ", not " + name);
  }

  /** The rank of this job that a rank of another one speaks of. */
  int rank(Peer.OfJob peer, JobMesh other, int rank) {
    int found = 0;
    for (Map.Entry<String, Peer.Coordinate> each : peer.coordinates().entrySet()) {
      int here = other.mesh.coordinate(other.ranks.indexOf(rank), each.getValue().axis());
      int there = each.getValue().on(here, mesh.degree(each.getKey()));
      found += there * mesh.stride(each.getKey());
    }
    return ranks.get(found);
  }

  /** The pipeline rank of {@code rank}; 0 without pipeline parallelism. */
  int stage(int rank) {
    return mesh.degree("pp") == 1 ? 0 : mesh.coordinate(ranks.indexOf(rank), "pp");
  }
}
