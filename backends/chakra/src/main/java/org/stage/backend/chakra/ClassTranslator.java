package org.stage.backend.chakra;

import java.io.IOException;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Node;
import org.stage.api.workload.RankClass;
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
  private final RankGroups groups;
  private final RankClass ranks;
  private final ExecutionGraph graph;
  private final SlotTable slots;
  private final NodeHeads heads;
  private final CommOrder order;
  private final Durations durations;
  private final TraceTemplate.Builder trace;

  ClassTranslator(Job job, RankGroups groups, RankClass ranks) throws IOException {
    this.job = job;
    this.groups = groups;
    this.ranks = ranks;
    this.graph = ranks.graph();
    this.slots = new SlotTable(job, groups, ranks.ranks().first());
    this.heads = new NodeHeads(job.settings(), graph.tensors());
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
      } else {
        throw slots.unwritable(node, "is a " + node.getClass().getSimpleName(), "none is made");
      }
    }
    job.findings().graph(graph.nodes().size());
    if (ranks.slowdown() != 1) {
      job.findings().slow(ranks);
    }
    return new ClassTrace(groups, trace.build(), slots.slots());
  }

  private void add(Node.Compute node) throws IOException {
    long operations = slowed(Math.addExact(node.flops(), node.otherFlops()));
    long bytes = slowed(Math.addExact(node.bytesRead(), node.bytesWritten()));
    boolean root = node.dataDeps().size() + node.controlDeps().size() == 0;
    if (root && job.device().nanoseconds(operations, bytes) < 1) {
      job.findings().shortRoot(node.name());
    }
    trace.add(
        heads
            .begin(node, NodeType.COMP_NODE, CommOrder.NONE)
            .setDurationMicros(durations.next(operations, bytes, root))
            .addAttr(Attributes.int64("num_ops", operations))
            .addAttr(Attributes.uint64("tensor_size", bytes))
            .build());
  }

  /**
   * What the roofline is to make of {@code work} on this class of ranks. It has one peak for all
   * devices, so a slow one is given more to do: as both operations and bytes grow, the intensity
   * stays, and the time grows by the factor whichever of them binds.
   */
  private long slowed(long work) {
    if (ranks.slowdown() == 1) {
      return Math.max(1, work);
    }
    double more = work * ranks.slowdown();
    if (more >= Long.MAX_VALUE) {
      throw new ArithmeticException("the work of a slow rank does not fit 63 bits");
    }
    return Math.max(1, Math.round(more));
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
          case REDUCE -> CollectiveCommType.REDUCE;
          case GATHER -> CollectiveCommType.GATHER;
          case SCATTER -> CollectiveCommType.SCATTER;
          case BROADCAST -> CollectiveCommType.BROADCAST;
          case BARRIER -> CollectiveCommType.BARRIER;
        };
    trace.add(
        heads
            .begin(node, NodeType.COMM_COLL_NODE, order.before(node.id(), slot))
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
        heads
            .begin(node, type, before)
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
}
