package org.stage.sim;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.stage.api.workload.Group;
import org.stage.sim.cost.Costs;

/** Where ranks wait for one another: the members of a group, a send and its receive. */
final class Meetings {
  private final Costs costs;
  private final Map<Object, Meeting> open = new HashMap<>();

  Meetings(Costs costs) {
    this.costs = costs;
  }

  /**
   * A rank comes to a communication.
   *
   * @param since when it is ready for it
   * @return the meeting, if it was the last to come
   */
  Optional<Meeting> come(Step step, CondensedGraph graph, Place place, long since) {
    int node = step.node();
    Object key = key(step, graph, place);
    Meeting meeting = open.computeIfAbsent(key, any -> new Meeting());
    meeting.steps.add(step);
    meeting.start = Math.max(meeting.start, since);
    long duration = costs.picoseconds(graph.kind(node), graph.size(node), place.spread());
    meeting.estimate = Math.max(meeting.estimate, duration);
    meeting.known = Math.max(meeting.known, graph.known(node));
    boolean message = graph.isSend(node) || graph.isRecv(node);
    if (meeting.steps.size() < (message ? 2 : place.sets().size())) {
      return Optional.empty();
    }
    // the key is free for the next of its kind, as no member can come to that one before now
    open.remove(key);
    return Optional.of(meeting);
  }

  private static Object key(Step step, CondensedGraph graph, Place place) {
    Relation relation = graph.relations().get(graph.relation(step.node()));
    if (relation instanceof Relation.Member member) {
      return new Members(member.group(), place.sets());
    }
    Relation.Peer peer = (Relation.Peer) relation;
    int tag = graph.tag(step.node());
    if (graph.isSend(step.node())) {
      return new Message(step.set(), peer.axis(), peer.offset(), tag);
    }
    int back = Math.floorMod(-peer.offset(), graph.mesh().mesh().degree(peer.axis()));
    return new Message(place.sets().get(0), peer.axis(), back, tag);
  }

  /** The place where members of a group meet; they come in the same order to all of its. */
  private record Members(Group group, List<Integer> sets) {}

  /** The place where a send and its receive meet, seen from the sender. */
  private record Message(int set, String axis, int offset, int tag) {}

  /** One communication, and who has come to it. */
  static final class Meeting {
    private final List<Step> steps = new ArrayList<>();
    private long start;
    private long estimate;
    private long known = CondensedGraph.UNKNOWN;

    List<Step> steps() {
      return steps;
    }

    /** When the last one was ready. */
    long start() {
      return start;
    }

    /** What one member knows goes before what all estimate: of a message only the sender knows. */
    long duration() {
      return known == CondensedGraph.UNKNOWN ? estimate : known;
    }
  }
}
