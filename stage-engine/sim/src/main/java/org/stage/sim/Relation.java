package org.stage.sim;

import java.util.List;
import org.stage.api.workload.Group;
import org.stage.api.workload.JobMesh;

/** With whom a rank communicates, said relative to it. */
sealed interface Relation {
  /** The others, for a group with the rank itself; ascending. */
  List<Integer> partners(JobMesh mesh, int rank);

  /** The members of a group, of which the rank is one. */
  record Member(Group group) implements Relation {
    @Override
    public List<Integer> partners(JobMesh mesh, int rank) {
      return mesh.members(group, rank);
    }
  }

  /**
   * One other rank.
   *
   * @param axis the mesh axis along which it stands
   * @param offset steps along it, from 0 to below the degree
   */
  record Peer(String axis, int offset) implements Relation {
    @Override
    public List<Integer> partners(JobMesh mesh, int rank) {
      return List.of(mesh.peer(rank, axis, offset));
    }
  }
}
