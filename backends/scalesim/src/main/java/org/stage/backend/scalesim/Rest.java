package org.stage.backend.scalesim;

import org.stage.api.workload.Node;

/**
 * Work of one kind that no row holds.
 *
 * @param nodes how many nodes do it
 * @param matrixFlops FLOPs of matrix products in it
 * @param otherFlops other operations
 * @param bytes read and written, or sent
 */
record Rest(long nodes, long matrixFlops, long otherFlops, long bytes) {
  /** A kernel that is no product. */
  static Rest of(Node.Compute node) {
    long bytes = Math.addExact(node.bytesRead(), node.bytesWritten());
    return new Rest(1, node.flops(), node.otherFlops(), bytes);
  }

  /** What a kernel does beside its products. */
  static Rest beside(Node.Compute node) {
    return new Rest(1, 0, node.otherFlops(), 0);
  }

  /** A transfer. */
  static Rest transfer(long bytes) {
    return new Rest(1, 0, 0, bytes);
  }

  /** Both. */
  Rest plus(Rest other) {
    return new Rest(
        Math.addExact(nodes, other.nodes),
        Math.addExact(matrixFlops, other.matrixFlops),
        Math.addExact(otherFlops, other.otherFlops),
        Math.addExact(bytes, other.bytes));
  }
}
