package org.stage.backend.chakra.check;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/**
 * Runs a trace set without time: one collective or send at a time on each rank, of those that are
 * ready the one with the lowest id; a send ends when its receive is posted. What hangs here may
 * hang in the simulator.
 */
final class DryRun {
  /** Marks a node that has run, among the counts of what nodes wait for. */
  private static final int DONE = -1;

  private record Step(int rank, int node) {}

  private final SetContext set;
  private final List<RankTrace> ranks;
  private final IdentityHashMap<Structure, Adjacency> children = new IdentityHashMap<>();
  private final int[][] waiting;
  private final List<PriorityQueue<Integer>> ready;
  private final int[] busy;
  private final int[] arrived;
  private final Map<Message, Deque<Step>> posted = new HashMap<>();
  private final Map<Message, Step> sending = new HashMap<>();
  private final Deque<Step> finished = new ArrayDeque<>();
  private final Deque<Integer> free = new ArrayDeque<>();
  private long left;

  DryRun(SetContext set, List<RankTrace> ranks) {
    this.set = set;
    this.ranks = ranks;
    this.waiting = new int[ranks.size()][];
    this.ready = ranks.stream().map(DryRun::byId).toList();
    this.busy = new int[ranks.size()];
    this.arrived = new int[set.communicators().used().size()];
    Arrays.fill(busy, Standstill.NOT_WAITING);
  }

  private static PriorityQueue<Integer> byId(RankTrace rank) {
    return new PriorityQueue<>(
        Comparator.comparing((Integer node) -> rank.structure.ids[node], Long::compareUnsigned));
  }

  void run() {
    for (int rank = 0; rank < ranks.size(); rank++) {
      start(rank);
    }
    while (!finished.isEmpty() || !free.isEmpty()) {
      // Computing takes no time, so all of it comes before the next communication.
      if (finished.isEmpty()) {
        issue(free.poll());
      } else {
        finish(finished.poll());
      }
    }
    if (left > 0) {
      report();
    }
  }

  private void start(int rank) {
    Structure structure = ranks.get(rank).structure;
    children.computeIfAbsent(
        structure, key -> Adjacency.reversed(key.nodes(), key.depStart, key.deps));
    waiting[rank] = IntStream.range(0, structure.nodes()).map(structure::depCount).toArray();
    left += structure.nodes();
    for (int node = 0; node < structure.nodes(); node++) {
      if (waiting[rank][node] == 0) {
        makeReady(rank, node);
      }
    }
  }

  private void makeReady(int rank, int node) {
    Structure structure = ranks.get(rank).structure;
    if (structure.isOrdered(node)) {
      ready.get(rank).add(node);
      free.add(rank);
    } else if (structure.isRecv(node)) {
      post(new Step(rank, node));
    } else {
      finished.add(new Step(rank, node));
    }
  }

  private void post(Step receive) {
    Message message = Message.of(ranks.get(receive.rank), receive.node);
    Step send = sending.remove(message);
    if (send == null) {
      posted.computeIfAbsent(message, key -> new ArrayDeque<>()).add(receive);
    } else {
      finished.add(receive);
      release(send);
    }
  }

  private void issue(int rank) {
    if (busy[rank] != Standstill.NOT_WAITING || ready.get(rank).isEmpty()) {
      return;
    }
    int node = ready.get(rank).remove();
    busy[rank] = node;
    if (ranks.get(rank).structure.isSend(node)) {
      send(new Step(rank, node));
    } else {
      arrive(ranks.get(rank).partners[node]);
    }
  }

  private void send(Step send) {
    Message message = Message.of(ranks.get(send.rank), send.node);
    Deque<Step> receives = posted.get(message);
    if (receives == null) {
      sending.put(message, send);
      return;
    }
    finished.add(receives.remove());
    if (receives.isEmpty()) {
      posted.remove(message);
    }
    release(send);
  }

  private void arrive(int communicator) {
    int[] members = set.communicators().used().get(communicator).members();
    if (++arrived[communicator] == members.length) {
      arrived[communicator] = 0;
      for (int member : members) {
        release(new Step(member, busy[member]));
      }
    }
  }

  private void release(Step step) {
    busy[step.rank] = Standstill.NOT_WAITING;
    finished.add(step);
    free.add(step.rank);
  }

  private void finish(Step step) {
    left--;
    int[] counts = waiting[step.rank];
    counts[step.node] = DONE;
    Adjacency adjacency = children.get(ranks.get(step.rank).structure);
    if (adjacency != null) {
      adjacency.forEach(
          step.node,
          child -> {
            if (--counts[child] == 0) {
              makeReady(step.rank, child);
            }
          });
    }
  }

  private void report() {
    int[] stuck = IntStream.range(0, ranks.size()).map(this::waitsIn).toArray();
    Standstill standstill = new Standstill(set, ranks, stuck);
    set.faults()
        .error(
            standstill.source(),
            "deadlock, " + left + " nodes never run: " + standstill.text(),
            "With one communication at a time on each rank, and sends that wait for their receive,"
                + " the ranks block one another: change the order.");
  }

  /** The node in which a rank waits: what holds its slot, else a receive. */
  private int waitsIn(int rank) {
    if (busy[rank] != Standstill.NOT_WAITING) {
      return busy[rank];
    }
    return IntStream.range(0, waiting[rank].length)
        .filter(node -> waiting[rank][node] == 0)
        .findFirst()
        .orElse(Standstill.NOT_WAITING);
  }
}
