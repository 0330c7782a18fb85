package org.stage.backend.chakra;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Ids;
import org.stage.api.workload.Node;
import org.stage.backend.chakra.format.Attributes;
import org.stage.backend.chakra.format.TraceTemplate;
import org.stage.backend.chakra.format.proto.CollectiveCommType;
import org.stage.backend.chakra.format.proto.NodeType;

/**
 * Translates the execution graph of one class of ranks; for one use. Attributes have the kinds that
 * both the current and the older feeder of ASTRA-sim read.
 */
final class ClassTranslator {
  /** ASTRA-sim never ends an all-gather of fewer bytes than {@code preferred-dataset-splits}. */
  static final long MIN_ALL_GATHER = 16;

  private final Job job;
  private final ExecutionGraph graph;
  private final SlotTable slots;
  private final CommOrder order;
  private final Durations durations;
  private final TraceTemplate.Builder trace;

  ClassTranslator(Job job, ExecutionGraph graph, int firstRank) throws IOException {
    this.job = job;
    this.graph = graph;
    this.slots = new SlotTable(job, firstRank);
    this.order = new CommOrder(job.settings().order());
    this.durations = new Durations(job.device());
    this.trace = new TraceTemplate.Builder(job.settings().gzip());
  }

  ClassTrace translate() throws IOException {
    for (Node node : graph.nodes()) {
      if (node instanceof Node.Compute compute) {
        add(compute);
      } else if (node instanceof Node.Collective collective) {
        add(collective);
      } else if (node instanceof Node.Send send) {
        add(send);
      } else if (node instanceof Node.Recv recv) {
        add(recv);
      }
    }
    job.findings().graph(graph.nodes().size());
    return new ClassTrace(trace.build(), slots.slots());
  }

  private void add(Node.Compute node) throws IOException {
    long operations = Math.max(1, Math.addExact(node.flops(), node.otherFlops()));
    long bytes = Math.max(1, Math.addExact(node.bytesRead(), node.bytesWritten()));
    boolean root = node.dataDeps().size() + node.controlDeps().size() == 0;
    if (root && job.device().nanoseconds(operations, bytes) < 1) {
      job.findings().shortRoot(node.name());
    }
    trace.add(
        begin(node, NodeType.COMP_NODE, CommOrder.NONE)
            .setDurationMicros(durations.next(operations, bytes, root))
            .addAttr(Attributes.int64("num_ops", operations))
            .addAttr(Attributes.uint64("tensor_size", bytes))
            .build());
  }

  private void add(Node.Collective node) throws IOException {
    int slot = slots.of(node);
    long bytes = positive(node, node.bytes());
    if (node.kind() == Node.Collective.Kind.ALL_GATHER && bytes < MIN_ALL_GATHER) {
      job.findings().roundedGather(node.name(), bytes, MIN_ALL_GATHER);
      bytes = MIN_ALL_GATHER;
    }
    CollectiveCommType kind =
        switch (node.kind()) {
          case ALL_REDUCE -> CollectiveCommType.ALL_REDUCE;
          case ALL_GATHER -> CollectiveCommType.ALL_GATHER;
          case REDUCE_SCATTER -> CollectiveCommType.REDUCE_SCATTER;
          case ALL_TO_ALL -> CollectiveCommType.ALL_TO_ALL;
        };
    trace.add(
        begin(node, NodeType.COMM_COLL_NODE, order.before(node.id(), slot))
            .addAttr(Attributes.int64("comm_type", kind.getNumber()))
            .addAttr(Attributes.int64("comm_size", bytes))
            .build(),
        slot);
  }

  private void add(Node.Send node) throws IOException {
    int slot = slots.of(node);
    int before = order.before(node.id(), slot);
    addMessage(node, NodeType.COMM_SEND_NODE, before, node.bytes(), node.tag(), slot);
  }

  /** A receive waits for no other communication: it only offers its buffer. */
  private void add(Node.Recv node) throws IOException {
    int slot = slots.of(node);
    addMessage(node, NodeType.COMM_RECV_NODE, CommOrder.NONE, node.bytes(), node.tag(), slot);
  }

  private void addMessage(Node node, NodeType type, int before, long bytes, int tag, int slot)
      throws IOException {
    trace.add(
        begin(node, type, before)
            .addAttr(Attributes.int64("comm_size", positive(node, bytes)))
            .addAttr(Attributes.int32("comm_tag", tag))
            .build(),
        slot);
  }

  private long positive(Node node, long bytes) {
    if (bytes < 1) {
      throw slots.unwritable(node, "transfers " + bytes + " bytes", "it must not be made");
    }
    return bytes;
  }

  /** Ids count from 1, as 0 is also what an absent id reads as. */
  private org.stage.backend.chakra.format.proto.Node.Builder begin(
      Node node, NodeType type, int before) {
    IntStream ordering =
        before == CommOrder.NONE
            ? node.controlDeps().stream()
            : IntStream.concat(node.controlDeps().stream(), IntStream.of(before));
    Ids data = node.dataDeps();
    var message =
        org.stage.backend.chakra.format.proto.Node.newBuilder()
            .setId(node.id() + 1L)
            .setName(node.name())
            .setType(type)
            .addAttr(Attributes.bool("is_cpu_op", false));
    if (job.settings().controlEdges()) {
      ids(data.stream()).forEach(message::addDataDeps);
      ids(ordering.filter(id -> data.stream().noneMatch(other -> other == id)))
          .forEach(message::addCtrlDeps);
    } else {
      ids(IntStream.concat(data.stream(), ordering)).forEach(message::addDataDeps);
    }
    if (job.settings().tensors()) {
      message.addAttr(Attributes.strings("inputs", tensors(node.header().reads())));
      message.addAttr(Attributes.strings("outputs", tensors(node.header().writes())));
    }
    return message;
  }

  private static LongStream ids(IntStream nodes) {
    return nodes.sorted().distinct().mapToLong(node -> node + 1L);
  }

  /** Name and size in turn, the size as a whole number. */
  private List<String> tensors(Ids tensors) {
    return tensors.stream()
        .mapToObj(graph.tensors()::get)
        .flatMap(tensor -> Stream.of(tensor.name(), Long.toString(tensor.bytes())))
        .toList();
  }
}
