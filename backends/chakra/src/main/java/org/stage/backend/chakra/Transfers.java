package org.stage.backend.chakra;

import org.stage.api.workload.Node;
import org.stage.backend.chakra.format.Attributes;
import org.stage.backend.chakra.format.proto.CollectiveCommType;
import org.stage.backend.chakra.format.proto.NodeType;

/** Translates what moves bytes: collectives, messages, and traffic with memory outside. */
final class Transfers {
  /** ASTRA-sim never ends an all-gather of fewer bytes than {@code preferred-dataset-splits}. */
  static final long MIN_ALL_GATHER = 16;

  private final Job job;
  private final SlotTable slots;
  private final NodeHeads heads;
  private final CommOrder order;

  Transfers(Job job, SlotTable slots, NodeHeads heads, CommOrder order) {
    this.job = job;
    this.slots = slots;
    this.heads = heads;
    this.order = order;
  }

  /** A message of {@code slot}'s communicator. */
  org.stage.backend.chakra.format.proto.Node translate(Node.Collective node, int slot) {
    long bytes = node.kind() == Node.Collective.Kind.BARRIER ? 1 : positive(node, node.bytes());
    if (node.kind() == Node.Collective.Kind.ALL_GATHER && bytes < MIN_ALL_GATHER) {
      job.findings().roundedGather(node.name(), bytes, MIN_ALL_GATHER);
      bytes = MIN_ALL_GATHER;
    }
    var message = heads.begin(node, NodeType.COMM_COLL_NODE, order.before(node.id(), slot));
    return heads.end(
        timed(message, node),
        node,
        Attributes.int64("comm_type", type(node.kind()).getNumber()),
        Attributes.int64("comm_size", bytes));
  }

  /** A message to {@code slot}'s peer. */
  org.stage.backend.chakra.format.proto.Node translate(Node.Send node, int slot) {
    int before = order.before(node.id(), slot);
    return message(node, NodeType.COMM_SEND_NODE, before, node.bytes(), node.tag());
  }

  /** A receive waits for no other communication: it only offers its buffer. */
  org.stage.backend.chakra.format.proto.Node translate(Node.Recv node) {
    return message(node, NodeType.COMM_RECV_NODE, CommOrder.NONE, node.bytes(), node.tag());
  }

  org.stage.backend.chakra.format.proto.Node translate(Node.MemoryLoad node) {
    return memory(node, NodeType.MEM_LOAD_NODE, node.bytes());
  }

  org.stage.backend.chakra.format.proto.Node translate(Node.MemoryStore node) {
    return memory(node, NodeType.MEM_STORE_NODE, node.bytes());
  }

  private org.stage.backend.chakra.format.proto.Node message(
      Node node, NodeType type, int before, long bytes, int tag) {
    return heads.end(
        timed(heads.begin(node, type, before), node),
        node,
        Attributes.int64("comm_size", positive(node, bytes)),
        Attributes.int32("comm_tag", tag));
  }

  private org.stage.backend.chakra.format.proto.Node memory(Node node, NodeType type, long bytes) {
    job.findings().memoryMoves();
    return heads.end(
        timed(heads.begin(node, type, CommOrder.NONE), node),
        node,
        Attributes.uint64("tensor_size", positive(node, bytes)));
  }

  private long positive(Node node, long bytes) {
    if (bytes < 1) {
      throw slots.unwritable(node, "transfers " + bytes + " bytes", "it must not be made");
    }
    return bytes;
  }

  static CollectiveCommType type(Node.Collective.Kind kind) {
    return switch (kind) {
      case ALL_REDUCE -> CollectiveCommType.ALL_REDUCE;
      case ALL_GATHER -> CollectiveCommType.ALL_GATHER;
      case REDUCE_SCATTER -> CollectiveCommType.REDUCE_SCATTER;
      case ALL_TO_ALL -> CollectiveCommType.ALL_TO_ALL;
      case REDUCE -> CollectiveCommType.REDUCE;
      case GATHER -> CollectiveCommType.GATHER;
      case SCATTER -> CollectiveCommType.SCATTER;
      case BROADCAST -> CollectiveCommType.BROADCAST;
      case BARRIER -> CollectiveCommType.BARRIER;
    };
  }

  /** With the measured duration, where there is one. */
  static org.stage.backend.chakra.format.proto.Node.Builder timed(
      org.stage.backend.chakra.format.proto.Node.Builder message, Node node) {
    node.details().durationNs().ifPresent(time -> message.setDurationMicros(time / 1000));
    return message;
  }
}
