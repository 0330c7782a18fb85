package org.stage.backend.chakra;

import java.util.function.IntFunction;
import org.stage.api.workload.Group;
import org.stage.api.workload.Peer;
import org.stage.backend.chakra.format.Attributes;
import org.stage.backend.chakra.format.TraceTemplate;
import org.stage.backend.chakra.format.proto.AttributeProto;

/** What differs between the ranks of a class: the communicators and the peers. */
sealed interface Slot {
  /** The attributes that {@code rank} has there. */
  byte[] fill(int rank, RankGroups groups);

  /**
   * The communicator of a collective.
   *
   * @param group its ranks
   * @param said how a communicator is said, by its number
   */
  record Members(Group group, IntFunction<AttributeProto> said) implements Slot {
    @Override
    public byte[] fill(int rank, RankGroups groups) {
      return TraceTemplate.fill(said.apply(groups.id(group, rank)));
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
