package org.stage.backend.chakra;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Ids;
import org.stage.api.workload.Node;
import org.stage.api.workload.TensorValue;
import org.stage.backend.chakra.format.Attributes;
import org.stage.backend.chakra.format.proto.AttributeProto;
import org.stage.backend.chakra.format.proto.NodeType;

/** Makes the messages of nodes: what all kinds have, and the attributes of one. */
final class NodeHeads {
  private final Settings settings;
  private final boolean imported;
  private final List<TensorValue> tensors;
  private final long[] ids;
  private final Facts facts;

  NodeHeads(Job job, ExecutionGraph graph) {
    this.settings = job.settings();
    this.imported = job.imported();
    this.tensors = graph.tensors();
    this.ids = ids(graph.nodes());
    this.facts = new Facts(imported);
  }

  /**
   * Ids count from 1, as 0 is also what an absent id reads as; nodes that were all read from a
   * trace keep theirs.
   */
  private long[] ids(List<Node> nodes) {
    boolean keep = imported && nodes.stream().allMatch(node -> isNumber(node.details().id()));
    return nodes.stream()
        .mapToLong(node -> keep ? Long.parseUnsignedLong(node.details().id()) : node.id() + 1L)
        .toArray();
  }

  private static boolean isNumber(String id) {
    return !id.isEmpty() && id.length() <= 20 && id.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  /**
   * A message without attributes so far.
   *
   * @param before the node before it in the order of communication, or {@link CommOrder#NONE}
   */
  org.stage.backend.chakra.format.proto.Node.Builder begin(Node node, NodeType type, int before) {
    var message =
        org.stage.backend.chakra.format.proto.Node.newBuilder()
            .setId(ids[node.id()])
            .setName(node.name())
            .setType(type);
    node.details().startNs().ifPresent(time -> message.setStartTimeMicros(time / 1000));
    if (imported) {
      sayDependencies(message, node, before);
    } else {
      addDependencies(message, node, before);
    }
    return message;
  }

  /** The message with what {@code stated} says, and what is passed on. */
  org.stage.backend.chakra.format.proto.Node end(
      org.stage.backend.chakra.format.proto.Node.Builder message,
      Node node,
      AttributeProto... stated) {
    List<AttributeProto> all = new ArrayList<>();
    if (!imported || node instanceof Node.HostCompute) {
      all.add(Attributes.bool("is_cpu_op", node instanceof Node.HostCompute));
    }
    if (settings.tensors() && !(imported && tensors.isEmpty())) {
      all.add(Attributes.strings("inputs", namesAndSizes(node.header().reads())));
      all.add(Attributes.strings("outputs", namesAndSizes(node.header().writes())));
    }
    all.addAll(List.of(stated));
    facts.add(message, node.details().attributes(), all);
    return message.build();
  }

  /** As the trace had them, in its order and as often. */
  private void sayDependencies(
      org.stage.backend.chakra.format.proto.Node.Builder message, Node node, int before) {
    node.dataDeps().stream().mapToLong(dep -> ids[dep]).forEach(message::addDataDeps);
    boolean control = settings.controlEdges();
    node.controlDeps().stream()
        .mapToLong(dep -> ids[dep])
        .forEach(dep -> addOne(message, dep, control));
    boolean known =
        IntStream.concat(node.dataDeps().stream(), node.controlDeps().stream())
            .anyMatch(dep -> dep == before);
    if (before != CommOrder.NONE && !known) {
      addOne(message, ids[before], control);
    }
  }

  private static void addOne(
      org.stage.backend.chakra.format.proto.Node.Builder message, long dep, boolean control) {
    if (control) {
      message.addCtrlDeps(dep);
    } else {
      message.addDataDeps(dep);
    }
  }

  private void addDependencies(
      org.stage.backend.chakra.format.proto.Node.Builder message, Node node, int before) {
    Ids data = node.dataDeps();
    IntStream ordering =
        before == CommOrder.NONE
            ? node.controlDeps().stream()
            : IntStream.concat(node.controlDeps().stream(), IntStream.of(before));
    if (settings.controlEdges()) {
      ids(data.stream()).forEach(message::addDataDeps);
      ids(ordering.filter(id -> data.stream().noneMatch(other -> other == id)))
          .forEach(message::addCtrlDeps);
    } else {
      ids(IntStream.concat(data.stream(), ordering)).forEach(message::addDataDeps);
    }
  }

  private LongStream ids(IntStream nodes) {
    return nodes.sorted().distinct().mapToLong(node -> ids[node]);
  }

  /** Name and size in turn, the size as a whole number. */
  private List<String> namesAndSizes(Ids indices) {
    return indices.stream()
        .mapToObj(tensors::get)
        .flatMap(tensor -> Stream.of(tensor.name(), Long.toString(tensor.bytes())))
        .toList();
  }
}
