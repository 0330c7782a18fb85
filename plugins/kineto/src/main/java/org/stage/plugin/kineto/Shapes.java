package org.stage.plugin.kineto;

import java.util.ArrayList;
import java.util.List;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.profile.OperatorShape;
import org.stage.api.workload.MatrixShape;

/** Sizes of operators from those of their inputs. */
final class Shapes {
  private Shapes() {}

  static OperatorShape of(Kind kind, String name, Inputs inputs) {
    return switch (kind) {
      case GEMM -> new OperatorShape(product(name, inputs), false, 0, 0, added(name, inputs));
      case ATTENTION -> attention(name, inputs);
      case NORM -> {
        List<Long> size = inputs.size(name.endsWith("_backward") ? 1 : 0);
        yield new OperatorShape(MatrixShape.NONE, false, Inputs.elements(size), last(size));
      }
      case EMBEDDING -> embedding(inputs);
      default -> OperatorShape.ofElements(inputs.elements());
    };
  }

  /** Where the first factor stands among the inputs. */
  static int firstFactor(String name) {
    boolean behind =
        name.endsWith("::addmm") || name.endsWith("::baddbmm") || name.contains("addmm_activation");
    return behind ? 1 : 0;
  }

  /** Bytes of a bias, or of a matrix to which the product is added. */
  private static long added(String name, Inputs inputs) {
    return firstFactor(name) == 0
        ? 0
        : Inputs.elements(inputs.size(0)) * ElementTypes.bytes(inputs.type(0));
  }

  private static MatrixShape product(String name, Inputs inputs) {
    if (name.endsWith("grouped_mm")) {
      return grouped(name, inputs);
    }
    if (name.endsWith("::linear")) {
      return linear(inputs.size(0), inputs.size(1));
    }
    if (name.endsWith("::einsum")) {
      // without its equation: only what is a product as it stands
      List<List<Long>> factors = inputs.list(1);
      return factors.size() == 2 ? product(factors.get(0), factors.get(1)) : MatrixShape.NONE;
    }
    int at = firstFactor(name);
    return general(inputs.size(at), inputs.size(at + 1));
  }

  private static MatrixShape product(List<Long> a, List<Long> b) {
    if (a.size() == 2 && b.size() == 2 && a.get(1).equals(b.get(0))) {
      return new MatrixShape(1, a.get(0), b.get(1), a.get(1));
    }
    if (a.size() == 3 && b.size() == 3 && a.get(0).equals(b.get(0)) && a.get(2).equals(b.get(1))) {
      return new MatrixShape(a.get(0), a.get(1), b.get(2), a.get(2));
    }
    return MatrixShape.NONE;
  }

  /**
   * Products of groups, whose rows, columns or summands are dealt out over them: how unevenly, the
   * sizes do not tell.
   */
  private static MatrixShape grouped(String name, Inputs inputs) {
    List<Long> a = inputs.size(0);
    List<Long> b = inputs.size(1);
    List<Long> ends = inputs.size(name.contains("scaled") ? 4 : 2);
    long groups = Math.max(1, ends.isEmpty() ? 1 : ends.get(0));
    if (a.size() == 2 && b.size() == 3 && a.get(1).equals(b.get(1)) && b.get(0) > 0) {
      return new MatrixShape(b.get(0), part(a.get(0), b.get(0)), b.get(2), a.get(1));
    }
    if (a.size() == 3 && b.size() == 2 && a.get(2).equals(b.get(0)) && a.get(0) > 0) {
      return new MatrixShape(a.get(0), a.get(1), part(b.get(1), a.get(0)), a.get(2));
    }
    if (a.size() == 2 && b.size() == 2 && a.get(1).equals(b.get(0))) {
      return new MatrixShape(groups, a.get(0), b.get(1), part(a.get(1), groups));
    }
    return product(a, b);
  }

  private static long part(long whole, long groups) {
    return (whole + groups - 1) / groups;
  }

  /** Of a linear layer: its weight has the shape of its result first. */
  private static MatrixShape linear(List<Long> input, List<Long> weight) {
    return weight.size() == 2 && input.size() > 1
        ? product(flat(input), List.of(weight.get(1), weight.get(0)))
        : MatrixShape.NONE;
  }

  /** A product of any number of dimensions; a matrix on the right serves all rows on the left. */
  private static MatrixShape general(List<Long> a, List<Long> b) {
    if (a.size() > 3 && a.size() == b.size()) {
      return product(batched(a), batched(b));
    }
    return product(a.size() > 2 && b.size() == 2 ? flat(a) : a, b);
  }

  private static List<Long> flat(List<Long> size) {
    List<Long> rows = size.subList(0, size.size() - 1);
    return List.of(Inputs.elements(rows), last(size));
  }

  private static List<Long> batched(List<Long> size) {
    int matrix = size.size() - 2;
    List<Long> all = new ArrayList<>(List.of(Inputs.elements(size.subList(0, matrix))));
    all.addAll(size.subList(matrix, size.size()));
    return all;
  }

  private static OperatorShape attention(String name, Inputs inputs) {
    int at = name.contains("backward") ? 1 : 0;
    List<Long> q = inputs.size(at);
    List<Long> k = inputs.size(at + 1);
    if (q.size() != 4 || k.size() != 4 || !q.get(3).equals(k.get(3)) || isPacked(name, inputs)) {
      return OperatorShape.ofElements(inputs.elements());
    }
    boolean headsFirst = name.contains("scaled_dot_product");
    int heads = headsFirst ? 1 : 2;
    int sequence = headsFirst ? 2 : 1;
    long batch = Inputs.elements(List.of(q.get(0), q.get(heads)));
    List<Long> v = inputs.size(at + 2);
    long values = v.size() == 4 ? v.get(3) : q.get(3);
    MatrixShape shape = new MatrixShape(batch, q.get(sequence), k.get(sequence), q.get(3), values);
    return new OperatorShape(shape, isCausal(name, inputs), 0, 0);
  }

  /**
   * Whether sequences of lengths that the sizes do not tell lie one after the other: an input says
   * where each begins.
   */
  private static boolean isPacked(String name, Inputs inputs) {
    int at =
        name.contains("backward")
            ? -1
            : name.contains("::_flash_attention")
                ? 3
                : name.contains("::_efficient_attention") ? 4 : -1;
    return name.contains("varlen") || (at >= 0 && !inputs.size(at).isEmpty());
  }

  /** By the place of {@code is_causal} in the operator's parameters. */
  private static boolean isCausal(String name, Inputs inputs) {
    int at;
    if (name.contains("backward")) {
      at = -1;
    } else if (name.contains("product_flash")) {
      at = 4;
    } else if (name.contains("product_efficient") || name.contains("product_cudnn")) {
      at = 6;
    } else {
      at = -1;
    }
    return at >= 0 && inputs.value(at).equals("True");
  }

  private static OperatorShape embedding(Inputs inputs) {
    List<Long> table = inputs.size(0);
    long width = last(table);
    long rows = Inputs.elements(inputs.size(inputs.size(1).isEmpty() ? 2 : 1));
    long elements = Inputs.elements(List.of(rows, Math.max(1, width)));
    return new OperatorShape(MatrixShape.NONE, false, elements, width);
  }

  private static long last(List<Long> size) {
    return size.isEmpty() ? 0 : size.get(size.size() - 1);
  }
}
