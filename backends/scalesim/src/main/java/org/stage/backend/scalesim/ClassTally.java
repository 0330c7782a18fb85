package org.stage.backend.scalesim;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.stage.api.plugin.NodeKind;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Node;
import org.stage.backend.scalesim.Kernels.Product;

/** Counts what one rank of a class computes in a step: the products by shape, and the rest. */
final class ClassTally {
  private final Map<Work, Long> kernels = new LinkedHashMap<>();
  private final SortedMap<String, Rest> rest = new TreeMap<>();
  private long translated;
  private long matrixFlops;
  private long otherFlops;
  private long rowFlops;
  private long rowNodeFlops;

  private ClassTally() {}

  /**
   * Counts {@code graph}.
   *
   * @throws ArithmeticException if a sum does not fit 63 bits
   */
  static ClassTally of(ExecutionGraph graph) {
    ClassTally tally = new ClassTally();
    for (Node node : graph.nodes()) {
      if (node instanceof Node.Compute compute) {
        tally.add(compute);
      } else if (!(node instanceof Node.Marker)) {
        tally.rest(NodeKind.of(node).text(), Rest.transfer(bytes(node)));
      }
    }
    return tally;
  }

  private static long bytes(Node node) {
    if (node instanceof Node.Collective collective) {
      return collective.bytes();
    }
    if (node instanceof Node.Send send) {
      return send.bytes();
    }
    if (node instanceof Node.Recv recv) {
      return recv.bytes();
    }
    if (node instanceof Node.MemoryLoad load) {
      return load.bytes();
    }
    return node instanceof Node.MemoryStore store ? store.bytes() : 0;
  }

  private void add(Node.Compute node) {
    matrixFlops = Math.addExact(matrixFlops, node.flops());
    otherFlops = Math.addExact(otherFlops, node.otherFlops());
    if (!Kernels.hasProducts(node)) {
      rest(node.operator(), Rest.of(node));
      return;
    }
    translated++;
    rowNodeFlops = Math.addExact(rowNodeFlops, node.flops());
    long batch = node.shape().batch();
    for (Product product : Kernels.products(node)) {
      long flops = Math.multiplyExact(product.gemm().flops(), batch);
      rowFlops = Math.addExact(rowFlops, flops);
      kernels.merge(work(node, product), 1L, Math::addExact);
    }
    if (node.otherFlops() > 0) {
      rest(node.operator() + ", beside its products", Rest.beside(node));
    }
  }

  private static Work work(Node.Compute node, Product product) {
    return new Work(
        Kernels.layer(node),
        node.phase().text(),
        node.operator(),
        product.name(),
        Kernels.unit(node),
        node.shape().batch(),
        product.gemm());
  }

  private void rest(String what, Rest more) {
    rest.merge(what, more, Rest::plus);
  }

  /** Kernels by their products, in the order in which they first occur. */
  Map<Work, Long> kernels() {
    return kernels;
  }

  /** What no row holds, by operator or kind of transfer. */
  SortedMap<String, Rest> rest() {
    return rest;
  }

  /** Compute nodes whose products are in rows. */
  long translated() {
    return translated;
  }

  /** FLOPs of all matrix and attention products of the rank. */
  long matrixFlops() {
    return matrixFlops;
  }

  /** All other operations of the rank. */
  long otherFlops() {
    return otherFlops;
  }

  /** FLOPs of all rows with their repeats. */
  long rowFlops() {
    return rowFlops;
  }

  /**
   * By how much the rows exceed what the workload says of the same kernels: half of causal
   * attention, as a topology has no mask.
   */
  long excessFlops() {
    return rowFlops - rowNodeFlops;
  }

  /** Share of all operations that no row holds, 0 to 1. */
  double restShare() {
    double all = (double) matrixFlops + otherFlops;
    return all == 0 ? 0 : (all - rowNodeFlops) / all;
  }
}
