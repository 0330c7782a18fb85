package org.stage.backend.timeline;

import java.util.Comparator;
import java.util.List;
import org.stage.api.graph.OperatorKind;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Node;
import org.stage.api.workload.TensorType;

/**
 * Sizes of the inputs of kernels, as PyTorch's profiler records them: of products their matrices,
 * of look-ups table and indices, of all others the elements of each input.
 */
final class KinetoSizes {
  private KinetoSizes() {}

  /** Sizes of the inputs of {@code node}; none where its operands are not known. */
  static List<List<Long>> of(Node.Compute node) {
    MatrixShape shape = node.shape();
    if (!shape.equals(MatrixShape.NONE)) {
      return products(node.operator(), shape);
    }
    List<TensorType> in = node.inputs();
    if (is(node, OperatorKind.LOOKUP) && in.size() == 2) {
      return List.of(in.get(0).dims(), List.of(in.get(1).elements()));
    }
    if (is(node, OperatorKind.LOOKUP_GRAD) && in.size() == 2) {
      long rows = in.get(1).elements();
      return List.of(List.of(rows, in.get(0).elements() / Math.max(1, rows)), List.of(rows));
    }
    // norms as PyTorch calls them: without weights
    int most =
        is(node, OperatorKind.LAYER_NORM) || is(node, OperatorKind.RMS_NORM)
            ? 1
            : is(node, OperatorKind.LAYER_NORM_GRAD) || is(node, OperatorKind.RMS_NORM_GRAD)
                ? 2
                : in.size();
    return in.stream()
        .sorted(Comparator.comparingLong(TensorType::bytes).reversed())
        .limit(most)
        .map(each -> List.of(each.elements()))
        .toList();
  }

  private static boolean is(Node.Compute node, OperatorKind kind) {
    return node.operator().equals(kind.text());
  }

  private static List<List<Long>> products(String operator, MatrixShape shape) {
    long b = shape.batch();
    if (operator.equals(OperatorKind.EINSUM.text()) || isScaled(operator)) {
      return b > 1
          ? List.of(List.of(b, shape.m(), shape.k()), List.of(b, shape.k(), shape.n()))
          : List.of(List.of(shape.m(), shape.k()), List.of(shape.k(), shape.n()));
    }
    List<Long> queries = List.of(1L, b, shape.m(), shape.k());
    List<Long> keys = List.of(1L, b, shape.n(), shape.k());
    return operator.equals(OperatorKind.ATTENTION_GRAD.text())
        ? List.of(queries, queries, keys, keys)
        : List.of(queries, keys, keys);
  }

  static boolean isScaled(String operator) {
    return operator.equals(OperatorKind.SCALED_EINSUM.text());
  }

  /** Whether it adds two tensors of one size. */
  static boolean isSum(Node.Compute node) {
    List<TensorType> in = node.inputs();
    return is(node, OperatorKind.ADD) && in.size() == 2 && in.get(0).equals(in.get(1));
  }
}
