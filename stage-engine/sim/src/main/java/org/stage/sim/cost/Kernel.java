package org.stage.sim.cost;

import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Node;

/**
 * What a device is given to do, as far as its duration may depend on it. Numbers are approximate,
 * so that sums beyond 63 bits can be said.
 *
 * @param operator what it computes, as {@link Node.Compute#operator()} says it
 * @param shape the matrix products in it
 * @param flops FLOPs of its matrix products
 * @param otherFlops other operations
 * @param bytes bytes read and written
 */
public record Kernel(
    String operator, MatrixShape shape, double flops, double otherFlops, double bytes) {
  /** The kernel of {@code node}. */
  public static Kernel of(Node.Compute node) {
    return new Kernel(
        node.operator(),
        node.shape(),
        (double) node.flops(),
        (double) node.otherFlops(),
        (double) node.bytesRead() + node.bytesWritten());
  }
}
