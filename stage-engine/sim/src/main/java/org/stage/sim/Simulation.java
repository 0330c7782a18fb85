package org.stage.sim;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.stage.api.diagnostic.WorkException;
import org.stage.sim.cost.Costs;

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
  private final List<CondensedGraph> graphs;
  private final List<AlikeRanks> sets;
  private final List<Times> times = new ArrayList<>();
  private final List<int[]> waiting = new ArrayList<>();
  private final Meetings meetings;
  private final Deque<Step> ready = new ArrayDeque<>();

  private Simulation(List<CondensedGraph> graphs, List<AlikeRanks> sets, Costs costs) {
    this.graphs = graphs;
    this.sets = sets;
    this.meetings = new Meetings(costs);
  }

  /**
   * The times of each set.
   *
   * @param graphs by rank class
   * @throws WorkException if ranks wait for one another for ever
   * @throws ArithmeticException if the step does not fit 63 bits of picoseconds (106 days)
   */
  public static List<Times> run(List<CondensedGraph> graphs, List<AlikeRanks> sets, Costs costs) {
    Simulation simulation = new Simulation(graphs, sets, costs);
    simulation.run();
    return simulation.times;
  }

  private void run() {
    for (int set = 0; set < sets.size(); set++) {
      begin(set);
    }
    while (!ready.isEmpty()) {
      Step step = ready.remove();
      CondensedGraph graph = graph(step.set());
      if (graph.isLocal(step.node())) {
        long from = times.get(step.set()).ready(step.node());
        finish(step, from, graph.size(step.node()));
      } else {
        meet(step, graph);
      }
    }
    checkAllRan();
  }

  private CondensedGraph graph(int set) {
    return graphs.get(sets.get(set).rankClass());
  }

  private void begin(int set) {
    CondensedGraph graph = graph(set);
    int[] predecessors = new int[graph.nodes()];
    for (int node = 0; node < predecessors.length; node++) {
      predecessors[node] = graph.successors().predecessors(node);
      if (predecessors[node] == 0) {
        ready.add(new Step(set, node));
      }
    }
    waiting.add(predecessors);
    times.add(new Times(graph.nodes()));
  }

  private void finish(Step step, long from, long duration) {
    Times ran = times.get(step.set());
    int[] remaining = waiting.get(step.set());
    ran.run(step.node(), from, duration);
    remaining[step.node()] = -1;
    graph(step.set())
        .successors()
        .of(step.node())
        .forEach(
            next -> {
              ran.readyNotBefore(next, ran.end(step.node()));
              if (--remaining[next] == 0) {
                ready.add(new Step(step.set(), next));
              }
            });
  }

  /** A rank comes to a communication; the last one to come begins it. */
  private void meet(Step step, CondensedGraph graph) {
    Place place = sets.get(step.set()).places().get(graph.relation(step.node()));
    long since = times.get(step.set()).ready(step.node());
    meetings
        .come(step, graph, place, since)
        .ifPresent(
            meeting ->
                meeting.steps().forEach(each -> finish(each, meeting.start(), meeting.duration())));
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
}
