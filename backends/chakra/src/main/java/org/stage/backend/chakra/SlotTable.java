package org.stage.backend.chakra;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.stage.api.diagnostic.WorkException;
import org.stage.api.workload.Node;
import org.stage.api.workload.Peer;

/**
 * The communicators and peers of one class of ranks. Groups said differently are one slot when they
 * have the same members: they are one communicator, with one order.
 */
final class SlotTable {
  private final Job job;
  private final RankGroups groups;
  private final int firstRank;
  private final List<Slot> slots = new ArrayList<>();
  private final Map<Object, Integer> indices = new HashMap<>();
  private final Map<Node.Collective.Kind, Integer> partial =
      new EnumMap<>(Node.Collective.Kind.class);
  private final Set<Object> tags = new HashSet<>();

  SlotTable(Job job, RankGroups groups, int firstRank) {
    this.job = job;
    this.groups = groups;
    this.firstRank = firstRank;
  }

  List<Slot> slots() {
    return slots;
  }

  int of(Node.Collective node) {
    if (node.group().size() < 2) {
      throw unwritable(node, "is a collective of one rank", "it must not be made");
    }
    int communicator = groups.id(node.group(), firstRank);
    int index = index(communicator, new Slot.Members(node.group(), job.groups()::said));
    if (node.kind() == Node.Collective.Kind.ALL_TO_ALL && job.groups().isListed(communicator)) {
      job.mispriced().exchange(node.group().size());
    }
    if (node.group().size() < job.devices()) {
      Integer other = partial.putIfAbsent(node.kind(), index);
      if (other != null && other != index) {
        job.findings().kindOnTwoGroups();
      }
    }
    return index;
  }

  int of(Node.Send node) {
    Slot slot = new Slot.Destination(peer(node, node.peer()));
    return tagged(node, slot, node.tag());
  }

  int of(Node.Recv node) {
    Slot slot = new Slot.Source(peer(node, node.peer()));
    return tagged(node, slot, node.tag());
  }

  private int tagged(Node node, Slot slot, int tag) {
    if (tag < 0) {
      throw unwritable(node, "has the tag " + tag, "tags count from 0");
    }
    if (!tags.add(List.of(slot, tag))) {
      throw unwritable(
          node,
          "has the tag " + tag + " of an earlier message between the same ranks",
          "tags are unique for each source and destination");
    }
    return index(slot, slot);
  }

  /** The peer, said the same way whenever it is the same one. */
  private Peer peer(Node node, Peer peer) {
    if (!(peer instanceof Peer.Along along)) {
      return peer;
    }
    int steps = Math.floorMod(along.offset(), groups.mesh().mesh().degree(along.axis()));
    if (steps == 0) {
      throw unwritable(node, "has its own rank as its peer", "a peer is another rank");
    }
    return new Peer.Along(along.axis(), steps);
  }

  private int index(Object key, Slot slot) {
    Integer known = indices.putIfAbsent(key, slots.size());
    if (known == null) {
      slots.add(slot);
      return slots.size() - 1;
    }
    return known;
  }

  /** A graph that breaks a promise of the engine. */
  WorkException unwritable(Node node, String problem, String rule) {
    return new WorkException(
        "rank " + firstRank + ", node " + node.id() + " " + node.name(),
        problem,
        "This is a fault of the engine: " + rule + ".");
  }
}
