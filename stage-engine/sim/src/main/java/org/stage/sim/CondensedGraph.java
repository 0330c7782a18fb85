package org.stage.sim;

import java.util.Arrays;
import java.util.List;
import org.stage.api.plugin.NodeKind;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.JobMesh;
import org.stage.api.workload.Node;
import org.stage.sim.cost.Costs;

/**
 * What the simulation needs of one execution graph, in some 50 bytes a node, so that the graphs of
 * all classes need not be there at once.
 *
 * <p>A node follows its dependencies and the node before it on its stream: kernels have one stream,
 * collectives and sends another or one for each group and peer, receives none.
 */
public final class CondensedGraph {
  /** Stands for the duration of a communication that was not measured. */
  static final long UNKNOWN = -1;

  private final JobMesh mesh;
  private final NodeKind[] kinds;

  /** Picoseconds of what the rank does alone, bytes of a communication. */
  private final long[] sizes;

  /** Picoseconds of a communication, where they are known. */
  private final long[] known;

  private final int[] relationOf;
  private final int[] tags;
  private final Successors successors;
  private final Relations relations;

  /**
   * Condenses {@code graph}.
   *
   * @param mesh the mesh of its job
   * @param costs those of its devices
   * @param perGroup whether communications of different groups, or to different peers, have
   *     different streams
   */
  public CondensedGraph(ExecutionGraph graph, JobMesh mesh, Costs costs, boolean perGroup) {
    int count = graph.nodes().size();
    this.mesh = mesh;
    this.relations = new Relations(mesh.mesh());
    kinds = new NodeKind[count];
    sizes = new long[count];
    known = new long[count];
    relationOf = new int[count];
    tags = new int[count];
    for (Node node : graph.nodes()) {
      condense(node, costs);
    }
    successors = new Successors(graph, streamPredecessors(perGroup));
  }

  private void condense(Node node, Costs costs) {
    int id = node.id();
    kinds[id] = NodeKind.of(node);
    known[id] = isLocal(id) ? UNKNOWN : costs.measured(node).orElse(UNKNOWN);
    if (node instanceof Node.Compute compute) {
      sizes[id] = costs.picoseconds(compute);
    } else if (node instanceof Node.MemoryLoad load) {
      sizes[id] = costs.picosecondsOfHostMemory(load, load.bytes());
    } else if (node instanceof Node.MemoryStore store) {
      sizes[id] = costs.picosecondsOfHostMemory(store, store.bytes());
    } else if (node instanceof Node.Collective collective) {
      sizes[id] = collective.bytes();
      relationOf[id] = relations.of(collective.group());
    } else if (node instanceof Node.Send send) {
      sizes[id] = send.bytes();
      tags[id] = send.tag();
      relationOf[id] = relations.of(send.peer());
    } else if (node instanceof Node.Recv recv) {
      sizes[id] = recv.bytes();
      tags[id] = recv.tag();
      relationOf[id] = relations.of(recv.peer());
    }
  }

  /** The node before each on its stream, or -1. */
  private int[] streamPredecessors(boolean perGroup) {
    int[] before = new int[kinds.length];
    int groups = relations.all().size();
    int[] last = new int[groups + 4];
    Arrays.fill(last, -1);
    for (int node = 0; node < kinds.length; node++) {
      if (isRecv(node)) {
        before[node] = -1;
      } else {
        int stream =
            switch (kinds[node]) {
              case COMPUTE -> 0;
              case MEMORY_LOAD -> groups + 2;
              case MEMORY_STORE -> groups + 3;
              default -> perGroup ? relationOf[node] + 2 : 1;
            };
        before[node] = last[stream];
        last[stream] = node;
      }
    }
    return before;
  }

  /** With whom a rank communicates in one of its {@link #relations}, ascending. */
  List<Integer> partners(Relation relation, int rank) {
    return relation.partners(mesh, rank);
  }

  /** The mesh of the job. */
  JobMesh mesh() {
    return mesh;
  }

  public int nodes() {
    return kinds.length;
  }

  boolean isCompute(int node) {
    return kinds[node] == NodeKind.COMPUTE;
  }

  /** Whether it moves data between device and host. */
  boolean isMemory(int node) {
    return kinds[node] == NodeKind.MEMORY_LOAD || kinds[node] == NodeKind.MEMORY_STORE;
  }

  /** Whether no other rank takes part in it. */
  boolean isLocal(int node) {
    return isCompute(node) || isMemory(node);
  }

  boolean isSend(int node) {
    return kinds[node] == NodeKind.SEND;
  }

  boolean isRecv(int node) {
    return kinds[node] == NodeKind.RECV;
  }

  NodeKind kind(int node) {
    return kinds[node];
  }

  /** Picoseconds of what the rank does alone, bytes of a communication. */
  long size(int node) {
    return sizes[node];
  }

  /** Picoseconds of a communication, or {@link #UNKNOWN}. */
  long known(int node) {
    return known[node];
  }

  int tag(int node) {
    return tags[node];
  }

  /** The index of a communication's relation. */
  int relation(int node) {
    return relationOf[node];
  }

  List<Relation> relations() {
    return relations.all();
  }

  /** Which nodes follow which. */
  Successors successors() {
    return successors;
  }
}
