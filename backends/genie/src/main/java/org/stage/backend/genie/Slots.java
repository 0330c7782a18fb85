package org.stage.backend.genie;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.stage.api.workload.Group;
import org.stage.api.workload.JobMesh;
import org.stage.api.workload.Peer;
import org.stage.backend.chakra.format.Attributes;
import org.stage.backend.chakra.format.TraceTemplate;

/** In what the ranks of a class differ: communicators and peers, each once. */
final class Slots {
  private final JobMesh mesh;
  private final Communicators communicators;
  private final List<Slot> slots = new ArrayList<>();
  private final Map<Object, Integer> indices = new HashMap<>();

  Slots(JobMesh mesh, Communicators communicators) {
    this.mesh = mesh;
    this.communicators = communicators;
  }

  /** What one rank puts there. */
  private interface Slot {
    byte[] fill(int rank);
  }

  /** The communicator of a collective. */
  int of(Group group) {
    return index(
        group,
        rank -> {
          int id = communicators.id(mesh, group, rank);
          return id == Communicators.ALL
              ? new byte[0]
              : TraceTemplate.fill(Attributes.string("pg_name", Integer.toString(id)));
        });
  }

  /** The peer that a message goes to. */
  int destination(Peer peer) {
    return index(List.of("to", peer), rank -> ends(rank, mesh.peer(rank, peer)));
  }

  /** The peer that a message comes from. */
  int source(Peer peer) {
    return index(List.of("from", peer), rank -> ends(mesh.peer(rank, peer), rank));
  }

  /** What {@code rank} puts into the slots. */
  byte[][] fills(int rank) {
    return slots.stream().map(slot -> slot.fill(rank)).toArray(byte[][]::new);
  }

  private int index(Object key, Slot slot) {
    return indices.computeIfAbsent(
        key,
        absent -> {
          slots.add(slot);
          return slots.size() - 1;
        });
  }

  private static byte[] ends(int source, int destination) {
    return TraceTemplate.fill(
        Attributes.int32("comm_src", source), Attributes.int32("comm_dst", destination));
  }
}
