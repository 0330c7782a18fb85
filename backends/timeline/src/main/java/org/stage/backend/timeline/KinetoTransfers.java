package org.stage.backend.timeline;

import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.stage.api.workload.DataType;
import org.stage.api.workload.JobMesh;
import org.stage.api.workload.Node;
import org.stage.api.workload.Peer;

/** Communications of a rank in the words of PyTorch's profiler. */
final class KinetoTransfers {
  private final int rank;
  private final JobMesh mesh;
  private final Map<String, Integer> sequences = new HashMap<>();

  KinetoTransfers(int rank, JobMesh mesh) {
    this.rank = rank;
    this.mesh = mesh;
  }

  /** The name of its kernel, as {@code ncclDevKernel_AllReduce}. */
  static String kernel(Node node) {
    return "ncclDevKernel_" + (node instanceof Node.Collective each ? word(each) : "SendRecv");
  }

  private static String word(Node.Collective node) {
    StringBuilder word = new StringBuilder();
    Arrays.stream(node.kind().text().split("-"))
        .forEach(
            each ->
                word.append(Character.toUpperCase(each.charAt(0))).append(each, 1, each.length()));
    return word.toString();
  }

  /** What the profiler says of a communication. */
  Map<String, Object> facts(Node node) {
    if (node instanceof Node.Collective each) {
      List<Integer> members = mesh.members(each.group(), rank);
      String name = mesh.mesh().text(each.group());
      Map<String, Object> facts =
          facts(collective(each.kind()), each.elements(), out(each), each.type(), name, members);
      facts.put("Seq", sequences.merge(name, 1, Integer::sum));
      return facts;
    }
    if (node instanceof Node.Send send) {
      int peer = mesh.peer(rank, send.peer());
      return pair("send", send.peer(), send.elements(), send.type(), rank, peer);
    }
    Node.Recv recv = (Node.Recv) node;
    int peer = mesh.peer(rank, recv.peer());
    return pair("recv", recv.peer(), recv.elements(), recv.type(), peer, rank);
  }

  private static Map<String, Object> pair(
      String name, Peer peer, long elements, DataType type, int source, int destination) {
    List<Integer> members = List.of(Math.min(source, destination), Math.max(source, destination));
    Map<String, Object> facts = facts(name, elements, elements, type, peer.axisName(), members);
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
