package org.stage.backend.scalesim;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.stage.api.graph.OperatorKind;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Node;
import org.stage.api.workload.Position;
import org.stage.backend.scalesim.format.Gemm;

/** The matrix products that a kernel makes, each for itself. */
final class Kernels {
  private Kernels() {}

  /**
   * One of the products of a kernel.
   *
   * @param name which one; empty if there is only one
   * @param gemm its shape
   */
  record Product(String name, Gemm gemm) {}

  /** Whether the shape says all of the kernel's products. */
  static boolean hasProducts(Node.Compute node) {
    MatrixShape shape = node.shape();
    return node.flops() > 0 && shape.batch() > 0 && shape.m() > 0 && shape.n() > 0 && shape.k() > 0;
  }

  /**
   * The products of one head, one expert, or all there is. For attention, {@code m} queries meet
   * {@code n} keys of width {@code k} and values of their own width; its gradient makes the scores
   * again, as flash attention does, and four products more.
   */
  static List<Product> products(Node.Compute node) {
    MatrixShape shape = node.shape();
    long queries = shape.m();
    long keys = shape.n();
    long width = shape.k();
    Gemm scores = new Gemm(queries, keys, width);
    Gemm overKeys = new Gemm(queries, width, keys);
    Gemm overQueries = new Gemm(keys, width, queries);
    Gemm scoresGrad = new Gemm(queries, keys, shape.values());
    Gemm values = new Gemm(queries, shape.values(), keys);
    Gemm valuesGrad = new Gemm(keys, shape.values(), queries);
    if (node.operator().equals(OperatorKind.ATTENTION.text())) {
      return List.of(new Product("scores", scores), new Product("values", values));
    }
    if (node.operator().equals(OperatorKind.ATTENTION_GRAD.text())) {
      return List.of(
          new Product("scores", scores),
          new Product("values_grad", valuesGrad),
          new Product("scores_grad", scoresGrad),
          new Product("queries_grad", overKeys),
          new Product("keys_grad", overQueries));
    }
    return List.of(new Product("", scores));
  }

  /** What the kernel's {@code batch} equal products are for. */
  static String unit(Node.Compute node) {
    if (node.operator().startsWith(OperatorKind.ATTENTION.text())) {
      return "head";
    }
    if (node.shape().batch() == 1) {
      return "whole";
    }
    // only a label: nothing depends on it
    String module = Position.of(node).component();
    return module.contains("expert") ? "expert" : module.contains("attention") ? "head" : "product";
  }

  /**
   * What a kernel is, whatever its micro-batch and layer: {@code mb3.layers.17.mlp.up} is {@code
   * layers.mlp.up}.
   */
  static String layer(Node.Compute node) {
    Position position = Position.of(node);
    String again = position.role() == Position.Role.RECOMPUTATION ? ".recompute" : "";
    return Stream.of(position.unitKind(), position.component())
            .filter(part -> !part.isEmpty())
            .collect(Collectors.joining("."))
        + again;
  }
}
