package org.stage.backend.chakra;

import org.stage.api.graph.OperatorKind;
import org.stage.api.workload.Node;
import org.stage.api.workload.RankClass;
import org.stage.backend.chakra.format.Attributes;
import org.stage.backend.chakra.format.proto.NodeType;

/** Translates what the devices of one class of ranks compute, with its cost and duration. */
final class Kernels {
  private final Job job;
  private final double slowdown;
  private final NodeHeads heads;
  private final Durations durations;

  Kernels(Job job, RankClass ranks, NodeHeads heads) {
    this.job = job;
    this.slowdown = ranks.slowdown();
    this.heads = heads;
    this.durations = new Durations(job.device());
  }

  org.stage.backend.chakra.format.proto.Node translate(Node.Compute node) {
    long operations = slowed(Math.addExact(node.flops(), node.otherFlops()));
    long bytes = slowed(Math.addExact(node.bytesRead(), node.bytesWritten()));
    boolean root = node.dataDeps().size() + node.controlDeps().size() == 0;
    if (root && job.device().nanoseconds(operations, bytes) < 1) {
      job.findings().shortRoot(node.name());
    }
    if (node.operator().equals(OperatorKind.SCALED_EINSUM.text())) {
      job.findings().eightBits();
    }
    return heads.end(
        heads
            .begin(node, NodeType.COMP_NODE, CommOrder.NONE)
            .setDurationMicros(micros(node, operations, bytes, root)),
        node,
        Attributes.int64("num_ops", operations),
        Attributes.uint64("tensor_size", bytes));
  }

  private long micros(Node.Compute node, long operations, long bytes, boolean root) {
    if (node.details().durationNs().isEmpty()) {
      return durations.next(operations, bytes, root);
    }
    job.findings().measured();
    return durations.next(node.details().durationNs().getAsLong() * slowdown, root);
  }

  /**
   * What the roofline is to make of {@code work} on this class of ranks. It has one peak for all
   * devices, so a slow one is given more to do: as both operations and bytes grow, the intensity
   * stays, and the time grows by the factor whichever of them binds.
   */
  private long slowed(long work) {
    if (slowdown == 1) {
      return Math.max(1, work);
    }
    double more = work * slowdown;
    if (more >= Long.MAX_VALUE) {
      throw new ArithmeticException("the work of a slow rank does not fit 63 bits");
    }
    return Math.max(1, Math.round(more));
  }
}
