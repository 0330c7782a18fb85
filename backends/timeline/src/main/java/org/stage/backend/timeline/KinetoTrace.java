package org.stage.backend.timeline;

import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.stage.api.workload.DataType;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.JobMesh;
import org.stage.api.workload.Node;
import org.stage.api.workload.Precision;
import org.stage.backend.timeline.format.KinetoWriter;
import org.stage.backend.timeline.sim.Times;

/**
 * One simulated step of a rank as PyTorch's profiler would have recorded it. As in a real profile a
 * collective's kernel begins when its rank has come to it, so it waits for the others; and each
 * kernel was launched before it runs, by an operator on the host.
 */
final class KinetoTrace {
  /** How long the host takes for an operator, and in it for the launch, nanoseconds. */
  private static final long OPERATOR = 1_000;

  private static final long LAUNCH = 200;
  private static final long LAUNCHED = 600;
  private static final int FIRST_STREAM = 7;

  private final int rank;
  private final JobMesh mesh;
  private final ExecutionGraph graph;
  private final Times times;
  private final Streams streams;
  private final KinetoOperators operators;
  private final Map<String, Integer> sequences = new HashMap<>();

  KinetoTrace(
      int rank,
      JobMesh mesh,
      ExecutionGraph graph,
      Times times,
      Streams streams,
      Precision precision) {
    this.rank = rank;
    this.mesh = mesh;
    this.graph = graph;
    this.times = times;
    this.streams = streams;
    this.operators = new KinetoOperators(graph, precision);
  }

  void write(KinetoWriter out) throws IOException {
    List<Node> order =
        graph.nodes().stream()
            .filter(node -> !(node instanceof Node.MemoryLoad || node instanceof Node.MemoryStore))
            .sorted(Comparator.comparingLong(this::from))
            .toList();
    long[] host = host(order);
    // the host begins at 0, and so the device later
    long lead = order.isEmpty() ? 0 : -host[0];
    long end = Math.max(Tracks.nanoseconds(times.last()) + lead, lead + OPERATOR);
    out.annotation("ProfilerStep#0", 0, end);
    for (int i = 0; i < order.size(); i++) {
      write(out, order.get(i), i + 1, host[i] + lead, lead);
    }
  }

  /** When the host does each: one after the other, as late as lets each kernel begin in time. */
  private long[] host(List<Node> order) {
    long[] host = new long[order.size()];
    long next = Long.MAX_VALUE;
    for (int i = host.length - 1; i >= 0; i--) {
      next = Math.min(from(order.get(i)), next) - OPERATOR;
      host[i] = next;
    }
    return host;
  }

  private long from(Node node) {
    return Tracks.nanoseconds(
        node instanceof Node.Compute ? times.start(node.id()) : times.ready(node.id()));
  }

  private void write(KinetoWriter out, Node node, long correlation, long host, long lead)
      throws IOException {
    long done = host + OPERATOR;
    String around = KinetoOperators.around(node.phase());
    if (!around.isEmpty()) {
      out.operator(around, host, done, Map.of());
    }
    String kernel;
    Map<String, Object> moved = Map.of();
    if (node instanceof Node.Compute compute) {
      out.operator(
          KinetoOperators.name(compute), host + 100, done - 100, operators.arguments(compute));
      kernel = compute.operator() + "_kernel";
    } else {
      moved = transfer(node);
      out.operator("record_param_comms", host + 100, done - 100, moved);
      kernel = "ncclDevKernel_" + (node instanceof Node.Collective each ? word(each) : "SendRecv");
    }
    out.launch(correlation, host + LAUNCH, host + LAUNCHED);
    int stream = FIRST_STREAM + streams.of(node);
    long to = Tracks.nanoseconds(times.end(node.id()));
    out.kernel(kernel, stream, correlation, from(node) + lead, to + lead, moved);
  }

  /** In the kernel's name, as {@code AllReduce}. */
  private static String word(Node.Collective node) {
    StringBuilder word = new StringBuilder();
    Arrays.stream(node.kind().text().split("-"))
        .forEach(
            each ->
                word.append(Character.toUpperCase(each.charAt(0))).append(each, 1, each.length()));
    return word.toString();
  }

  private Map<String, Object> transfer(Node node) {
    if (node instanceof Node.Collective each) {
      List<Integer> members = mesh.members(each.group(), rank);
      String name = mesh.mesh().text(each.group());
      Map<String, Object> facts =
          facts(collective(each.kind()), each.elements(), out(each), each.type(), name, members);
      facts.put("Seq", sequences.merge(name, 1, Integer::sum));
      return facts;
    }
    if (node instanceof Node.Send send) {
      int peer = mesh.peer(rank, send.axis(), send.offset());
      return pair("send", send.axis(), send.elements(), send.type(), rank, peer);
    }
    Node.Recv recv = (Node.Recv) node;
    int peer = mesh.peer(rank, recv.axis(), recv.offset());
    return pair("recv", recv.axis(), recv.elements(), recv.type(), peer, rank);
  }

  private static Map<String, Object> pair(
      String name, String axis, long elements, DataType type, int source, int destination) {
    List<Integer> members = List.of(Math.min(source, destination), Math.max(source, destination));
    Map<String, Object> facts = facts(name, elements, elements, type, axis, members);
    facts.put("Src Rank", source);
    facts.put("Dst Rank", destination);
    return facts;
  }

  private static Map<String, Object> facts(
      String name, long in, long out, DataType type, String group, List<Integer> members) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("Collective name", name);
    facts.put("In msg nelems", in);
    facts.put("Out msg nelems", out);
    facts.put("Group size", members.size());
    facts.put("dtype", nccl(type));
    facts.put("Process Group Name", group);
    facts.put("Process Group Ranks", members.toString());
    return facts;
  }

  /** As PyTorch calls it. */
  private static String collective(Node.Collective.Kind kind) {
    return switch (kind) {
      case ALL_REDUCE -> "allreduce";
      case ALL_GATHER -> "_allgather_base";
      case REDUCE_SCATTER -> "_reduce_scatter_base";
      case ALL_TO_ALL -> "all_to_all";
      case REDUCE -> "reduce";
      case GATHER -> "gather";
      case SCATTER -> "scatter";
      case BROADCAST -> "broadcast";
      case BARRIER -> "barrier";
    };
  }

  private static long out(Node.Collective node) {
    return switch (node.kind()) {
      case ALL_GATHER, GATHER -> Math.multiplyExact(node.elements(), (long) node.group().size());
      case REDUCE_SCATTER, SCATTER -> node.elements() / node.group().size();
      default -> node.elements();
    };
  }

  private static String nccl(DataType type) {
    return switch (type) {
      case FP8 -> "Float8_e4m3fn";
      case BF16 -> "BFloat16";
      case FP16 -> "Half";
      case FP32 -> "Float";
      case INT64 -> "Long";
      case BOOL -> "Bool";
      case BYTE -> "Byte";
    };
  }
}
