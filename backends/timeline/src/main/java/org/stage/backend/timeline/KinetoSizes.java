package org.stage.backend.timeline;

import java.util.ArrayList;
import java.util.List;
import org.stage.api.graph.OperatorKind;
import org.stage.api.workload.DataType;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Node;
import org.stage.api.workload.Precision;
import org.stage.api.workload.TensorType;

/**
 * Inputs of kernels, as PyTorch's profiler records them: of products their matrices, behind a
 * gradient to which the result is added if there is one; of attention {@code [batch, heads, rows,
 * width]}; of a look-up table and indices; of norms what is normalised, without weights; of all
 * others each operand, flat.
 */
final class KinetoSizes {
  private static final int OF_ATTENTION = 4;

  private KinetoSizes() {}

  /** The inputs of {@code node}; where its operands are not known, those that its shape tells. */
  static List<TensorType> of(Node.Compute node, Precision precision) {
    MatrixShape shape = node.shape();
    if (!shape.equals(MatrixShape.NONE)) {
      return isProduct(node) ? product(node, precision) : attention(node, precision);
    }
    List<TensorType> in = node.inputs();
    if (is(node, OperatorKind.LOOKUP) && in.size() == 2) {
      return List.of(in.get(0), flat(in.get(1)));
    }
    if (is(node, OperatorKind.LOOKUP_GRAD) && in.size() == 2) {
      long rows = in.get(1).elements();
      long width = in.get(0).elements() / Math.max(1, rows);
      return List.of(new TensorType(List.of(rows, width), in.get(0).type()), flat(in.get(1)));
    }
    int most =
        is(node, OperatorKind.LAYER_NORM) || is(node, OperatorKind.RMS_NORM)
            ? 1
            : is(node, OperatorKind.LAYER_NORM_GRAD) || is(node, OperatorKind.RMS_NORM_GRAD)
                ? 2
                : in.size();
    return in.stream().limit(most).map(KinetoSizes::flat).toList();
  }

  private static boolean is(Node.Compute node, OperatorKind kind) {
    return node.operator().equals(kind.text());
  }

  private static TensorType flat(TensorType type) {
    return TensorType.vector(type.elements(), type.type());
  }

  static boolean isScaled(Node.Compute node) {
    return is(node, OperatorKind.SCALED_EINSUM);
  }

  private static boolean isProduct(Node.Compute node) {
    return is(node, OperatorKind.EINSUM) || isScaled(node);
  }

  /**
   * Whether it adds its product to a gradient, which it therefore reads beside its operands.
   *
   * @see Node.Compute.Cost#bytesRead
   */
  static boolean accumulates(Node.Compute node) {
    return isProduct(node)
        && node.inputs().size() > 1
        && node.outputs().size() == 1
        && node.bytesRead()
            == node.inputs().stream().mapToLong(TensorType::bytes).sum()
                + node.outputs().get(0).bytes();
  }

  /** The addend, both factors, and what is beside them, such as scales of 8-bit factors. */
  private static List<TensorType> product(Node.Compute node, Precision precision) {
    MatrixShape shape = node.shape();
    List<TensorType> in = node.inputs();
    DataType type = isScaled(node) ? DataType.FP8 : precision.activations();
    List<TensorType> sizes = new ArrayList<>();
    sizes.add(matrix(shape, shape.m(), shape.k(), in.isEmpty() ? type : in.get(0).type()));
    sizes.add(matrix(shape, shape.k(), shape.n(), in.size() < 2 ? type : in.get(1).type()));
    in.stream().skip(2).forEach(sizes::add);
    if (accumulates(node)) {
      // aten::addmm has what it adds to first, products of 8 bits have it last
      int at = isScaled(node) ? sizes.size() : 0;
      sizes.add(at, matrix(shape, shape.m(), shape.n(), node.outputs().get(0).type()));
    }
    return sizes;
  }

  private static TensorType matrix(MatrixShape shape, long rows, long columns, DataType type) {
    return new TensorType(
        shape.batch() > 1 ? List.of(shape.batch(), rows, columns) : List.of(rows, columns), type);
  }

  private static List<TensorType> attention(Node.Compute node, Precision precision) {
    List<TensorType> in = node.inputs();
    int queries = is(node, OperatorKind.ATTENTION_GRAD) ? 1 : 0;
    if (in.size() > queries + 2
        && in.stream().limit(queries + 3).allMatch(each -> each.dims().size() == OF_ATTENTION)) {
      return in.stream().map(KinetoSizes::headsFirst).toList();
    }
    MatrixShape shape = node.shape();
    DataType type = precision.activations();
    List<TensorType> sizes = new ArrayList<>();
    TensorType rows = new TensorType(List.of(1L, shape.batch(), shape.m(), shape.k()), type);
    if (queries > 0) {
      sizes.add(new TensorType(List.of(1L, shape.batch(), shape.m(), shape.values()), type));
    }
    sizes.add(rows);
    sizes.add(new TensorType(List.of(1L, shape.batch(), shape.n(), shape.k()), type));
    sizes.add(new TensorType(List.of(1L, shape.batch(), shape.n(), shape.values()), type));
    return sizes;
  }

  /** From {@code [batch, rows, heads, width]}. */
  private static TensorType headsFirst(TensorType type) {
    List<Long> dims = type.dims();
    return dims.size() == OF_ATTENTION
        ? new TensorType(List.of(dims.get(0), dims.get(2), dims.get(1), dims.get(3)), type.type())
        : type;
  }
}
