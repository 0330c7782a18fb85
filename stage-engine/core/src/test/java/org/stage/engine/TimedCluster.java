package org.stage.engine;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Ids;
import org.stage.api.workload.JobMesh;
import org.stage.api.workload.Node;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.Workload;

/**
 * All ranks of a job, moved forward in random order. A rank has one communication slot, which takes
 * collectives and sends in the order of the graph; a send ends only when its receive is posted, a
 * collective only when all its members have come to it; a receive is posted when what it depends on
 * is done. Kernels run in any order that their dependencies allow.
 */
final class TimedCluster {
  private final Random random;
  private final List<Rank> ranks = new ArrayList<>();

  TimedCluster(Workload workload, long seed) {
    random = new Random(seed);
    for (int rank = 0; rank < workload.mesh().devices(); rank++) {
      ranks.add(new Rank(rank));
    }
    for (RankClass each : workload.classes()) {
      ExecutionGraph graph = each.graph();
      JobMesh mesh = workload.meshOf(each);
      each.ranks().stream().forEach(rank -> ranks.get(rank).take(graph, mesh));
    }
  }

  /** Moves until all is done or nothing can move. */
  void run() {
    int idle = 0;
    while (idle == 0 || sweep()) {
      // A run of random moves, then a sweep over all ranks: what is possible will happen.
      for (int i = 0; i < 4 * ranks.size(); i++) {
        move(ranks.get(random.nextInt(ranks.size())));
      }
      idle = 1;
    }
  }

  private boolean sweep() {
    boolean moved = false;
    for (Rank rank : ranks) {
      moved |= move(rank);
    }
    return moved;
  }

  /** Nodes at which ranks stand that are not at their end. */
  List<String> standing() {
    return ranks.stream()
        .filter(rank -> rank.done.cardinality() < rank.graph.nodes().size())
        .map(rank -> rank.number + ": " + rank.graph.nodes().get(rank.done.nextClearBit(0)).name())
        .toList();
  }

  /** Does one thing that the rank can do: its next communication, or one of its next kernels. */
  private boolean move(Rank rank) {
    List<Node> ready = new ArrayList<>();
    Node next = rank.next();
    if (next != null && rank.isFree(next)) {
      ready.add(next);
    }
    int id = rank.done.nextClearBit(0);
    int end = Math.min(rank.graph.nodes().size(), id + 300);
    for (; id < end && ready.size() < 6; id = rank.done.nextClearBit(id + 1)) {
      Node node = rank.graph.nodes().get(id);
      if (isLocal(node) && rank.isFree(node)) {
        ready.add(node);
      }
    }
    int start = ready.isEmpty() ? 0 : random.nextInt(ready.size());
    for (int i = 0; i < ready.size(); i++) {
      if (perform(rank, ready.get((start + i) % ready.size()))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isLocal(Node node) {
    return node instanceof Node.Compute
        || node instanceof Node.MemoryLoad
        || node instanceof Node.MemoryStore;
  }

  private boolean perform(Rank rank, Node node) {
    if (isLocal(node)) {
      rank.done.set(node.id());
      return true;
    }
    if (node instanceof Node.Send send) {
      return send(rank, send);
    }
    return node instanceof Node.Collective collective && collective(rank, collective);
  }

  private boolean send(Rank rank, Node.Send send) {
    Rank peer = ranks.get(rank.mesh.peer(rank.number, send.peer()));
    Node.Recv recv = peer.receives.get(rank.number + " " + send.tag());
    if (recv == null || peer.done.get(recv.id()) || recv.elements() != send.elements()) {
      throw new AssertionError("rank " + peer.number + " does not receive " + send.name());
    }
    if (!peer.isFree(recv)) {
      return false;
    }
    peer.done.set(recv.id());
    rank.pass(send);
    return true;
  }

  private boolean collective(Rank rank, Node.Collective collective) {
    List<Node.Collective> calls = new ArrayList<>();
    List<Integer> members = rank.mesh.members(collective.group(), rank.number);
    for (int member : members) {
      Node next = ranks.get(member).next();
      if (next == null || !ranks.get(member).isFree(next)) {
        return false;
      }
      if (!(next instanceof Node.Collective other)
          || !rank.mesh.members(other.group(), member).equals(members)) {
        return false;
      }
      calls.add(other);
    }
    for (int i = 0; i < members.size(); i++) {
      Node.Collective call = calls.get(i);
      if (call.kind() != collective.kind() || call.elements() != collective.elements()) {
        throw new AssertionError(call.name() + " meets " + collective.name());
      }
      ranks.get(members.get(i)).pass(call);
    }
    return true;
  }

  private static final class Rank {
    private final int number;
    private final BitSet done = new BitSet();
    private final Map<String, Node.Recv> receives = new HashMap<>();
    private ExecutionGraph graph;
    private JobMesh mesh;
    private List<Node> communication;
    private int passed;

    Rank(int number) {
      this.number = number;
    }

    void take(ExecutionGraph graph, JobMesh mesh) {
      this.mesh = mesh;
      this.graph = graph;
      this.communication = graph.commOrder();
      for (Node node : graph.nodes()) {
        if (node instanceof Node.Recv recv) {
          int source = mesh.peer(number, recv.peer());
          receives.put(source + " " + recv.tag(), recv);
        }
      }
    }

    Node next() {
      return passed < communication.size() ? communication.get(passed) : null;
    }

    boolean isFree(Node node) {
      return areDone(node.dataDeps()) && areDone(node.controlDeps());
    }

    private boolean areDone(Ids ids) {
      for (int i = 0; i < ids.size(); i++) {
        if (!done.get(ids.get(i))) {
          return false;
        }
      }
      return true;
    }

    void pass(Node node) {
      done.set(node.id());
      passed++;
    }
  }
}
