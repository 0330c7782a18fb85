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
  private final ToldTranslator told;

  ClassTranslator(Job job, RankGroups groups, RankClass ranks) throws IOException {
    this.job = job;
    this.groups = groups;
    this.ranks = ranks;
    this.graph = ranks.graph();
    this.slots = new SlotTable(job, groups, ranks.ranks().first());
    this.heads = new NodeHeads(job, graph);
    this.order = new CommOrder(job.settings().order());
    this.durations = new Durations(job.device());
    boolean gzip = job.settings().gzip();
    this.trace =
        job.imported()
            ? new TraceTemplate.Builder(ToldTranslator.metadata(graph.attributes()), gzip)
            : new TraceTemplate.Builder(gzip);
    this.told = new ToldTranslator(groups.mesh(), ranks.ranks(), heads, order);
  }

  ClassTrace translate() throws IOException {
    boolean again = job.imported() && ranks.slowdown() == 1;
    for (Node node : graph.nodes()) {
      if (again && told.canSay(node)) {
        trace.add(told.translate(node));
      } else {
        add(node);
      }
    }
    job.findings().graph(graph.nodes().size());
    if (ranks.slowdown() != 1) {
      job.findings().slow(ranks);
    }
    return new ClassTrace(groups, trace.build(), slots.slots());
  }

  private void add(Node node) throws IOException {
    if (node instanceof Node.Compute compute) {
      add(compute);
    } else if (node instanceof Node.Collective collective) {
      add(collective);
    } else if (node instanceof Node.Send send) {
      int slot = slots.of(send);
      int before = order.before(send.id(), slot);
      addMessage(send, NodeType.COMM_SEND_NODE, before, send.bytes(), send.tag(), slot);
    } else if (node instanceof Node.Recv recv) {
      // a receive waits for no other communication: it only offers its buffer
      int slot = slots.of(recv);
      addMessage(recv, NodeType.COMM_RECV_NODE, CommOrder.NONE, recv.bytes(), recv.tag(), slot);
    } else if (node instanceof Node.MemoryLoad load) {
      addMemory(load, NodeType.MEM_LOAD_NODE, load.bytes());
    } else if (node instanceof Node.MemoryStore store) {
      addMemory(store, NodeType.MEM_STORE_NODE, store.bytes());
    } else if (node instanceof Node.HostCompute host) {
      var message = heads.begin(host, NodeType.COMP_NODE, CommOrder.NONE);
      trace.add(heads.end(timed(message, host), host));
    } else if (node instanceof Node.Marker marker) {
      // a node that takes no time and does nothing, which the simulator runs
      var message = heads.begin(marker, NodeType.COMP_NODE, CommOrder.NONE);
      trace.add(
          heads.end(
              message,
              marker,
              Attributes.int64("num_ops", 1),
              Attributes.uint64("tensor_size", 1)));
    } else {
      throw slots.unwritable(node, "is of an unknown kind", "every kind is written");
    }
  }

  private void add(Node.Compute node) throws IOException {
    long operations = slowed(Math.addExact(node.flops(), node.otherFlops()));
    long bytes = slowed(Math.addExact(node.bytesRead(), node.bytesWritten()));
    boolean root = node.dataDeps().size() + node.controlDeps().size() == 0;
    if (root && job.device().nanoseconds(operations, bytes) < 1) {
      job.findings().shortRoot(node.name());
    }
    if (node.details().durationNs().isPresent()) {
      job.findings().measured();
    }
    long micros =
        node.details().durationNs().isPresent()
            ? durations.next(node.details().durationNs().getAsLong() * ranks.slowdown(), root)
            : durations.next(operations, bytes, root);
    trace.add(
        heads.end(
            heads.begin(node, NodeType.COMP_NODE, CommOrder.NONE).setDurationMicros(micros),
            node,
            Attributes.int64("num_ops", operations),
            Attributes.uint64("tensor_size", bytes)));
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
    long bytes = node.kind() == Node.Collective.Kind.BARRIER ? 1 : positive(node, node.bytes());
    if (node.kind() == Node.Collective.Kind.ALL_GATHER && bytes < MIN_ALL_GATHER) {
      job.findings().roundedGather(node.name(), bytes, MIN_ALL_GATHER);
      bytes = MIN_ALL_GATHER;
    }
    var message = heads.begin(node, NodeType.COMM_COLL_NODE, order.before(node.id(), slot));
    trace.add(
        heads.end(
            timed(message, node),
            node,
            Attributes.int64("comm_type", type(node.kind()).getNumber()),
            Attributes.int64("comm_size", bytes)),
        slot);
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

  private void addMessage(Node node, NodeType type, int before, long bytes, int tag, int slot)
      throws IOException {
    trace.add(
        heads.end(
            timed(heads.begin(node, type, before), node),
            node,
            Attributes.int64("comm_size", positive(node, bytes)),
            Attributes.int32("comm_tag", tag)),
        slot);
  }

  private void addMemory(Node node, NodeType type, long bytes) throws IOException {
    trace.add(
        heads.end(
            timed(heads.begin(node, type, CommOrder.NONE), node),
            node,
            Attributes.uint64("tensor_size", positive(node, bytes))));
  }

  /** With the measured duration, where there is one. */
  static org.stage.backend.chakra.format.proto.Node.Builder timed(
      org.stage.backend.chakra.format.proto.Node.Builder message, Node node) {
    node.details().durationNs().ifPresent(time -> message.setDurationMicros(time / 1000));
    return message;
  }

  private long positive(Node node, long bytes) {
    if (bytes < 1) {
      throw slots.unwritable(node, "transfers " + bytes + " bytes", "it must not be made");
    }
    return bytes;
  }
}
