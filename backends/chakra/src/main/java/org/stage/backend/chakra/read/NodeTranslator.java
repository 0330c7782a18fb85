package org.stage.backend.chakra.read;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.stage.api.workload.Attribute;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Details;
import org.stage.api.workload.Ids;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Node;
import org.stage.api.workload.NodeHeader;
import org.stage.api.workload.Phase;
import org.stage.api.workload.Position;
import org.stage.backend.chakra.format.proto.NodeType;

/** Translates the nodes of one rank's trace. */
final class NodeTranslator {
  private static final String WEIGHT_GRADIENT = ".wgrad";

  private final int rank;
  private final int ranks;
  private final Path file;
  private final Groups groups;
  private final PassedOn passedOn = new PassedOn();

  NodeTranslator(int rank, int ranks, Path file, Groups groups) {
    this.rank = rank;
    this.ranks = ranks;
    this.file = file;
    this.groups = groups;
  }

  /**
   * One node.
   *
   * @param id its place in the graph
   * @param data nodes that it depends on by {@code data_deps}; none that is missing
   * @param control likewise by {@code ctrl_deps}
   */
  Node translate(
      org.stage.backend.chakra.format.proto.Node message, int id, Ids data, Ids control) {
    NodeReading reading = new NodeReading(file, message);
    Phase phase = phase(message.getName());
    NodeHeader header =
        new NodeHeader(
            id,
            message.getName(),
            phase,
            Position.ofName(message.getName(), role(message.getName(), phase)),
            new NodeHeader.Dependencies(data, control),
            NodeHeader.Access.NONE,
            details(reading));
    if (!reading.lacks().isEmpty()) {
      return marker(header, message);
    }
    return switch (message.getType()) {
      case COMP_NODE -> compute(header, reading);
      case MEM_LOAD_NODE -> new Node.MemoryLoad(header, reading.number("tensor_size"));
      case MEM_STORE_NODE -> new Node.MemoryStore(header, reading.number("tensor_size"));
      case COMM_COLL_NODE ->
          new Node.Collective(
              header,
              reading.kind(),
              reading.number("comm_size"),
              DataType.BYTE,
              groups.of(rank, file, message));
      case COMM_SEND_NODE ->
          new Node.Send(
              header,
              Groups.AXIS,
              offset(reading, "comm_dst"),
              reading.number("comm_size"),
              DataType.BYTE,
              reading.small("comm_tag"));
      case COMM_RECV_NODE ->
          new Node.Recv(
              header,
              Groups.AXIS,
              offset(reading, "comm_src"),
              reading.number("comm_size"),
              DataType.BYTE,
              reading.small("comm_tag"));
      case METADATA_NODE, INVALID_NODE, UNRECOGNIZED -> marker(header, message);
    };
  }

  private static Node marker(
      NodeHeader header, org.stage.backend.chakra.format.proto.Node message) {
    NodeType type = message.getType();
    return new Node.Marker(
        header,
        type == NodeType.UNRECOGNIZED ? Integer.toString(message.getTypeValue()) : type.name());
  }

  private static Node compute(NodeHeader header, NodeReading reading) {
    if (reading.number("is_cpu_op") != 0) {
      return new Node.HostCompute(header, reading.text("op_type", header.name()));
    }
    return new Node.Compute(
        header,
        reading.text("op_type", "kernel"),
        MatrixShape.NONE,
        reading.number("num_ops"),
        0,
        reading.number("tensor_size"),
        0);
  }

  private int offset(NodeReading reading, String end) {
    int peer = reading.small(end);
    if (peer >= ranks) {
      throw At.refuse(
          file,
          reading.node(),
          "has the peer " + peer + ", which has no file",
          "Give the whole set.");
    }
    if (peer == rank) {
      throw At.refuse(
          file, reading.node(), "has its own rank " + rank + " as its peer", "Leave it out.");
    }
    return peer - rank;
  }

  private Details details(NodeReading reading) {
    org.stage.backend.chakra.format.proto.Node message = reading.node();
    OptionalLong start = reading.time("start_time_micros", message.getStartTimeMicros());
    OptionalLong duration = reading.time("duration_micros", message.getDurationMicros());
    List<Attribute> attributes = new ArrayList<>(message.getAttrCount() + 2);
    if (message.hasInputs()) {
      attributes.add(passedOn.of("inputs", message.getInputs()));
    }
    if (message.hasOutputs()) {
      attributes.add(passedOn.of("outputs", message.getOutputs()));
    }
    for (int i = 0; i < message.getAttrCount(); i++) {
      attributes.add(passedOn.of(message.getAttr(i)));
    }
    return new Details(Long.toUnsignedString(message.getId()), start, duration, attributes);
  }

  /** As far as names say it: those that this project gives say which gradients are of weights. */
  private static Position.Role role(String name, Phase phase) {
    return switch (phase) {
      case FORWARD -> Position.Role.FORWARD;
      case RECOMPUTE -> Position.Role.RECOMPUTATION;
      case BACKWARD ->
          name.endsWith(WEIGHT_GRADIENT)
              ? Position.Role.WEIGHT_GRADIENT
              : Position.Role.INPUT_GRADIENT;
      case OPTIMIZER -> Position.Role.UPDATE;
    };
  }

  /** No trace says it, but many names do. */
  private static Phase phase(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.contains("optim") || lower.contains("adam")) {
      return Phase.OPTIMIZER;
    }
    return lower.contains("backward") || lower.contains("grad") ? Phase.BACKWARD : Phase.FORWARD;
  }
}
