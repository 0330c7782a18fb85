package org.stage.backend.chakra;

import java.io.IOException;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Node;
import org.stage.api.workload.RankClass;
import org.stage.backend.chakra.format.Attributes;
import org.stage.backend.chakra.format.TraceTemplate;
import org.stage.backend.chakra.format.proto.NodeType;

/**
 * Translates the execution graph of one class of ranks; for one use. Attributes have the kinds that
 * both the current and the older feeder of ASTRA-sim read.
 */
final class ClassTranslator {
  private final Job job;
  private final RankGroups groups;
  private final RankClass ranks;
  private final ExecutionGraph graph;
  private final SlotTable slots;
  private final NodeHeads heads;
  private final Kernels kernels;
  private final Transfers transfers;
  private final ToldTranslator told;
  private final TraceTemplate.Builder trace;

  ClassTranslator(Job job, RankGroups groups, RankClass ranks) throws IOException {
    this.job = job;
    this.groups = groups;
    this.ranks = ranks;
    this.graph = ranks.graph();
    this.slots = new SlotTable(job, groups, ranks.ranks().first());
    this.heads = new NodeHeads(job, graph);
    this.kernels = new Kernels(job, ranks, heads);
    CommOrder order = new CommOrder(job.settings().order());
    this.transfers = new Transfers(job, slots, heads, order);
    this.told = new ToldTranslator(groups.mesh(), ranks.ranks(), heads, order);
    boolean gzip = job.settings().gzip();
    this.trace =
        job.imported()
            ? new TraceTemplate.Builder(ToldTranslator.metadata(graph.attributes()), gzip)
            : new TraceTemplate.Builder(gzip);
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
      trace.add(kernels.translate(compute));
    } else if (node instanceof Node.Collective collective) {
      int slot = slots.of(collective);
      trace.add(transfers.translate(collective, slot), slot);
    } else if (node instanceof Node.Send send) {
      int slot = slots.of(send);
      trace.add(transfers.translate(send, slot), slot);
    } else if (node instanceof Node.Recv recv) {
      trace.add(transfers.translate(recv), slots.of(recv));
    } else if (node instanceof Node.MemoryLoad load) {
      trace.add(transfers.translate(load));
    } else if (node instanceof Node.MemoryStore store) {
      trace.add(transfers.translate(store));
    } else if (node instanceof Node.HostCompute host) {
      var message = heads.begin(host, NodeType.COMP_NODE, CommOrder.NONE);
      trace.add(heads.end(Transfers.timed(message, host), host));
    } else if (node instanceof Node.Marker marker) {
      trace.add(mark(marker));
    } else {
      throw slots.unwritable(node, "is of an unknown kind", "every kind is written");
    }
  }

  /** A node that takes no time and does nothing, which the simulator runs. */
  private org.stage.backend.chakra.format.proto.Node mark(Node.Marker marker) {
    return heads.end(
        heads.begin(marker, NodeType.COMP_NODE, CommOrder.NONE),
        marker,
        Attributes.int64("num_ops", 1),
        Attributes.uint64("tensor_size", 1));
  }
}
