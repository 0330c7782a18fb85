package org.stage.backend.timeline;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.JobMesh;
import org.stage.api.workload.Node;
import org.stage.api.workload.Precision;
import org.stage.backend.timeline.format.KinetoWriter;
import org.stage.sim.Times;

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

  /** Modules are called by the same name for each micro-batch. */
  private static final Pattern MICRO_BATCH = Pattern.compile("^mb\\d+\\.");

  private final ExecutionGraph graph;
  private final Times times;
  private final Streams streams;
  private final KinetoOperators operators;
  private final KinetoTransfers transfers;

  KinetoTrace(
      int rank,
      JobMesh mesh,
      ExecutionGraph graph,
      Times times,
      Streams streams,
      Precision precision) {
    this.graph = graph;
    this.times = times;
    this.streams = streams;
    this.operators = new KinetoOperators(precision);
    this.transfers = new KinetoTransfers(rank, mesh);
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
    out.module(MICRO_BATCH.matcher(node.name()).replaceFirst(""), host, done);
    String around = KinetoOperators.around(node);
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
      moved = transfers.facts(node);
      out.operator("record_param_comms", host + 100, done - 100, moved);
      kernel = KinetoTransfers.kernel(node);
    }
    out.launch(correlation, host + LAUNCH, host + LAUNCHED);
    int stream = FIRST_STREAM + streams.of(node);
    // profilers leave out no kernel, however short
    long to = Math.max(from(node) + 1, Tracks.nanoseconds(times.end(node.id())));
    out.kernel(kernel, stream, correlation, from(node) + lead, to + lead, moved);
  }
}
