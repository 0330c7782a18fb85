package org.stage.backend.timeline.sim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.stage.api.plugin.NodeKind;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.JobMesh;
import org.stage.api.workload.Node;
import org.stage.api.workload.Node.Collective;

/**
 * What the simulation needs of one execution graph, in some 50 bytes a node, so that the graphs of
 * all classes need not be there at once.
 *
 * <p>A node follows its dependencies and the node before it on its stream: kernels have one stream,
 * collectives and sends another or one for each group and peer, receives none.
 */
public final class Program {
  private final JobMesh mesh;

  private final NodeKind[] kinds;

  /** Picoseconds of a kernel, bytes of a communication. */
  private final long[] sizes;

  /** Picoseconds of a communication, where they are known. */
  private final long[] known;

  private final int[] relationOf;
  private final int[] tags;
  private final int[] predecessors;

  /** Where each node's successors begin, with one entry more for the end. */
  private final int[] begins;

  private final int[] successors;
  private final List<Relation> relations = new ArrayList<>();
  private final Map<Relation, Integer> numbers = new HashMap<>();

  /**
   * Condenses {@code graph}.
   *
   * @param mesh the mesh of its job
   * @param costs those of its devices
   * @param perGroup whether communications of different groups, or to different peers, have
   *     different streams
   */
  public Program(ExecutionGraph graph, JobMesh mesh, Costs costs, boolean perGroup) {
    int count = graph.nodes().size();
    this.mesh = mesh;
    kinds = new NodeKind[count];
    sizes = new long[count];
    known = new long[count];
    relationOf = new int[count];
    tags = new int[count];
    predecessors = new int[count];
    begins = new int[count + 1];
    for (Node node : graph.nodes()) {
      condense(node, costs);
    }
    int[] before = streamPredecessors(perGroup);
    for (Node node : graph.nodes()) {
      before(node, before).forEach(earlier -> begins[earlier + 1]++);
      predecessors[node.id()] = (int) before(node, before).count();
    }
    Arrays.parallelPrefix(begins, Integer::sum);
    successors = new int[begins[count]];
    int[] next = begins.clone();
    for (Node node : graph.nodes()) {
      before(node, before).forEach(earlier -> successors[next[earlier]++] = node.id());
    }
  }

  private void condense(Node node, Costs costs) {
    int id = node.id();
    kinds[id] = NodeKind.of(node);
    known[id] = node instanceof Node.Compute ? Costs.UNKNOWN : costs.known(node);
    if (node instanceof Node.Compute compute) {
      sizes[id] = costs.picoseconds(compute);
    } else if (node instanceof Collective collective) {
      sizes[id] = collective.bytes();
      relationOf[id] = number(new Relation.Member(collective.group()));
    } else if (node instanceof Node.Send send) {
      sizes[id] = send.bytes();
      tags[id] = send.tag();
      relationOf[id] = number(peer(send.axis(), send.offset()));
    } else if (node instanceof Node.Recv recv) {
      sizes[id] = recv.bytes();
      tags[id] = recv.tag();
      relationOf[id] = number(peer(recv.axis(), recv.offset()));
    }
  }

  private int number(Relation relation) {
    return numbers.computeIfAbsent(
        relation,
        added -> {
          relations.add(added);
          return relations.size() - 1;
        });
  }

  /** Relations of offsets that mean the same peer are equal. */
  private Relation.Peer peer(String axis, int offset) {
    return new Relation.Peer(axis, Math.floorMod(offset, mesh.mesh().degree(axis)));
  }

  /** The node before each on its stream, or -1. */
  private int[] streamPredecessors(boolean perGroup) {
    int[] before = new int[kinds.length];
    int[] last = new int[relations.size() + 2];
    Arrays.fill(last, -1);
    for (int node = 0; node < kinds.length; node++) {
      if (isRecv(node)) {
        before[node] = -1;
      } else {
        int stream = isCompute(node) ? 0 : perGroup ? relationOf[node] + 2 : 1;
        before[node] = last[stream];
        last[stream] = node;
      }
    }
    return before;
  }

  private static IntStream before(Node node, int[] onStream) {
    IntStream stream =
        onStream[node.id()] < 0 ? IntStream.empty() : IntStream.of(onStream[node.id()]);
    return IntStream.concat(
        IntStream.concat(node.dataDeps().stream(), node.controlDeps().stream()), stream);
  }

  /** With whom a rank communicates in one of its {@link #relations}, ascending. */
  List<Integer> partners(Relation relation, int rank) {
    return relation.partners(mesh, rank);
  }

  /** The mesh of the job. */
  JobMesh mesh() {
    return mesh;
  }

  /** Number of nodes. */
  public int nodes() {
    return kinds.length;
  }

  boolean isCompute(int node) {
    return kinds[node] == NodeKind.COMPUTE;
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

  /** Picoseconds of a kernel, bytes of a communication. */
  long size(int node) {
    return sizes[node];
  }

  /** Picoseconds of a communication, or {@link Costs#UNKNOWN}. */
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
    return relations;
  }

  int predecessors(int node) {
    return predecessors[node];
  }

  /** The nodes that follow {@code node}; one that does so for two reasons is there twice. */
  IntStream successors(int node) {
    return Arrays.stream(successors, begins[node], begins[node + 1]);
  }
}
