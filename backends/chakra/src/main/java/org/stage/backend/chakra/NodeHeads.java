package org.stage.backend.chakra;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.stage.api.workload.Ids;
import org.stage.api.workload.Node;
import org.stage.api.workload.TensorValue;
import org.stage.backend.chakra.format.Attributes;
import org.stage.backend.chakra.format.proto.NodeType;

/** Begins the messages of nodes with what all kinds have: id, name, dependencies, tensors. */
final class NodeHeads {
  private final Settings settings;
  private final List<TensorValue> tensors;

  NodeHeads(Settings settings, List<TensorValue> tensors) {
    this.settings = settings;
    this.tensors = tensors;
  }

  /**
   * A message that can take the attributes of its kind.
   *
   * @param before the node before it in the order of communication, or {@link CommOrder#NONE}
   */
  org.stage.backend.chakra.format.proto.Node.Builder begin(Node node, NodeType type, int before) {
    // ids count from 1, as 0 is also what an absent id reads as
    var message =
        org.stage.backend.chakra.format.proto.Node.newBuilder()
            .setId(node.id() + 1L)
            .setName(node.name())
            .setType(type)
            .addAttr(Attributes.bool("is_cpu_op", false));
    addDependencies(message, node, before);
    if (settings.tensors()) {
      message.addAttr(Attributes.strings("inputs", namesAndSizes(node.header().reads())));
      message.addAttr(Attributes.strings("outputs", namesAndSizes(node.header().writes())));
    }
    return message;
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

  private static LongStream ids(IntStream nodes) {
    return nodes.sorted().distinct().mapToLong(node -> node + 1L);
  }

  /** Name and size in turn, the size as a whole number. */
  private List<String> namesAndSizes(Ids indices) {
    return indices.stream()
        .mapToObj(tensors::get)
        .flatMap(tensor -> Stream.of(tensor.name(), Long.toString(tensor.bytes())))
        .toList();
  }
}
