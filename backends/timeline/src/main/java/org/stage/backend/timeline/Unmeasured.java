package org.stage.backend.timeline;

import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Node;

/**
 * What durations are left to models of the device and of the network.
 *
 * @param kernels whether a kernel's is
 * @param transfers whether that of a collective or a message is
 * @param measuredTransfers whether that of a collective or a message is known
 */
record Unmeasured(boolean kernels, boolean transfers, boolean measuredTransfers) {
  static final Unmeasured NOTHING = new Unmeasured(false, false, false);

  /** The same with the nodes of one more graph. */
  Unmeasured with(ExecutionGraph graph) {
    boolean ofKernels = kernels;
    boolean ofTransfers = transfers;
    boolean known = measuredTransfers;
    for (Node node : graph.nodes()) {
      boolean measured = node.details().durationNs().isPresent();
      boolean moves = node instanceof Node.Collective || node instanceof Node.Send;
      ofKernels |= !measured && node instanceof Node.Compute;
      ofTransfers |= !measured && moves;
      known |= measured && moves;
    }
    return new Unmeasured(ofKernels, ofTransfers, known);
  }

  /** Whether the network decides anything, as far as is known. */
  boolean needsNetwork() {
    return transfers || !measuredTransfers;
  }
}
