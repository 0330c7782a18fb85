package org.stage.backend.chakra;

import org.stage.api.workload.Group;
import org.stage.api.workload.Peer;
import org.stage.backend.chakra.format.Attributes;
import org.stage.backend.chakra.format.TraceTemplate;

/** What differs between the ranks of a class: the communicators and the peers. */
sealed interface Slot {
  /** The attributes that {@code rank} has there. */
  byte[] fill(int rank, RankGroups groups);

  /** The communicator of a collective. */
  record Members(Group group) implements Slot {
    @Override
    public byte[] fill(int rank, RankGroups groups) {
      String id = Integer.toString(groups.id(group, rank));
      return TraceTemplate.fill(Attributes.string("pg_name", id));
    }
  }

  /** The destination of a send. */
  record Destination(Peer peer) implements Slot {
    @Override
    public byte[] fill(int rank, RankGroups groups) {
      return ends(rank, groups.peer(rank, peer));
    }
  }

  /** The source of a receive. */
  record Source(Peer peer) implements Slot {
    @Override
    public byte[] fill(int rank, RankGroups groups) {
      return ends(groups.peer(rank, peer), rank);
    }
  }

  private static byte[] ends(int source, int destination) {
    return TraceTemplate.fill(
        Attributes.int32("comm_src", source), Attributes.int32("comm_dst", destination));
  }
}
