package org.stage.backend.timeline.sim;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.stage.api.diagnostic.WorkException;
import org.stage.api.workload.Group;

/**
 * Runs one rank of each set of alike ranks.
 *
 * <p>A kernel begins when its dependencies and the kernel before it are done. Collectives and sends
 * of a rank go one after the other, in its order of communication. A collective begins when all
 * members have come to it, and ends on all of them together. A message is a rendezvous: it is on
 * its way from when the send has its turn and the receive is posted, and both end when it is there.
 *
 * <p>As each stream has a fixed order and nothing shares a wire, every time is a maximum of sums of
 * durations: the order in which the nodes are looked at does not matter, and no clock is needed.
 */
public final class Simulation {
  private final List<Program> programs;
  private final List<AlikeRanks> sets;
  private final Costs costs;
  private final List<Times> times = new ArrayList<>();
  private final List<int[]> waiting = new ArrayList<>();
  private final Map<Object, Meeting> meetings = new HashMap<>();
  private final Deque<Step> ready = new ArrayDeque<>();

  private Simulation(List<Program> programs, List<AlikeRanks> sets, Costs costs) {
    this.programs = programs;
    this.sets = sets;
    this.costs = costs;
  }

  /**
   * The times of each set.
   *
   * @param programs by rank class
   * @throws WorkException if ranks wait for one another for ever
   * @throws ArithmeticException if the step does not fit 63 bits of picoseconds (106 days)
   */
  public static List<Times> run(List<Program> programs, List<AlikeRanks> sets, Costs costs) {
    Simulation simulation = new Simulation(programs, sets, costs);
    simulation.run();
    return simulation.times;
  }

  private void run() {
    for (int set = 0; set < sets.size(); set++) {
      begin(set);
    }
    while (!ready.isEmpty()) {
      Step step = ready.remove();
      Program program = program(step.set());
      if (program.isCompute(step.node())) {
        long from = times.get(step.set()).ready(step.node());
        finish(step, from, program.size(step.node()));
      } else {
        meet(step, program);
      }
    }
    checkAllRan();
  }

  private Program program(int set) {
    return programs.get(sets.get(set).rankClass());
  }

  private void begin(int set) {
    Program program = program(set);
    int[] predecessors = new int[program.nodes()];
    for (int node = 0; node < predecessors.length; node++) {
      predecessors[node] = program.predecessors(node);
      if (predecessors[node] == 0) {
        ready.add(new Step(set, node));
      }
    }
    waiting.add(predecessors);
    times.add(new Times(program.nodes()));
  }

  private void finish(Step step, long from, long duration) {
    Times ran = times.get(step.set());
    int[] remaining = waiting.get(step.set());
    ran.run(step.node(), from, duration);
    remaining[step.node()] = -1;
    program(step.set())
        .successors(step.node())
        .forEach(
            next -> {
              ran.readyNotBefore(next, ran.end(step.node()));
              if (--remaining[next] == 0) {
                ready.add(new Step(step.set(), next));
              }
            });
  }

  /** A rank comes to a communication; the last one to come begins it. */
  private void meet(Step step, Program program) {
    int node = step.node();
    Place place = sets.get(step.set()).places().get(program.relation(node));
    Object key = key(step, program, place);
    Meeting meeting = meetings.computeIfAbsent(key, any -> new Meeting());
    meeting.steps.add(step);
    meeting.start = Math.max(meeting.start, times.get(step.set()).ready(node));
    meeting.estimate = Math.max(meeting.estimate, duration(program, node, place));
    meeting.known = Math.max(meeting.known, program.known(node));
    boolean message = program.isSend(node) || program.isRecv(node);
    int expected = message ? 2 : place.sets().size();
    if (meeting.steps.size() == expected) {
      // the key is free for the next of its kind, as no member can come to that one before now
      meetings.remove(key);
      meeting.steps.forEach(each -> finish(each, meeting.start, meeting.duration()));
    }
  }

  private long duration(Program program, int node, Place place) {
    return costs.picoseconds(program.kind(node), program.size(node), place);
  }

  private Object key(Step step, Program program, Place place) {
    Relation relation = program.relations().get(program.relation(step.node()));
    if (relation instanceof Relation.Member member) {
      return new Members(member.group(), place.sets());
    }
    Relation.Peer peer = (Relation.Peer) relation;
    int tag = program.tag(step.node());
    if (program.isSend(step.node())) {
      return new Message(step.set(), peer.axis(), peer.offset(), tag);
    }
    int back = Math.floorMod(-peer.offset(), program.mesh().mesh().degree(peer.axis()));
    return new Message(place.sets().get(0), peer.axis(), back, tag);
  }

  private void checkAllRan() {
    for (int set = 0; set < sets.size(); set++) {
      int[] remaining = waiting.get(set);
      for (int node = 0; node < remaining.length; node++) {
        if (remaining[node] >= 0) {
          throw new WorkException(
              "rank " + sets.get(set).ranks().first(),
              "node " + node + " waits for ever for other ranks",
              "This is a fault of the engine: `stage validate` of a Chakra export says more.");
        }
      }
    }
  }

  /** A node of one rank of a set. */
  private record Step(int set, int node) {}

  /** The place where members of a group meet; they come in the same order to all of its. */
  private record Members(Group group, List<Integer> sets) {}

  /** The place where a send and its receive meet, seen from the sender. */
  private record Message(int set, String axis, int offset, int tag) {}

  private static final class Meeting {
    private final List<Step> steps = new ArrayList<>();
    private long start;
    private long estimate;
    private long known = Costs.UNKNOWN;

    /** What one member knows goes before what all estimate: of a message only the sender knows. */
    long duration() {
      return known == Costs.UNKNOWN ? estimate : known;
    }
  }
}
