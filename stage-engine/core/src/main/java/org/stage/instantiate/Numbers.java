package org.stage.instantiate;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.stage.api.graph.Element;
import org.stage.api.symbol.Expr;
import org.stage.api.symbol.Rational;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Group;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Precision;
import org.stage.api.workload.SubAxis;

/** Values of the symbols of a job: where sizes become numbers, and elements bytes. */
public final class Numbers {
  private final Map<String, Long> bindings;
  private final Precision precision;
  private final Map<Expr, Long> known = new HashMap<>();

  /** Binds every symbol of the job's graph. */
  public Numbers(Map<String, Long> bindings, Precision precision) {
    this.bindings = Map.copyOf(bindings);
    this.precision = precision;
  }

  /**
   * The value of a size.
   *
   * @throws ArithmeticException if it is not whole or exceeds 64 bits
   */
  public long of(Expr expr) {
    return known.computeIfAbsent(expr, e -> e.evaluate(bindings));
  }

  long bytes(Map<Element, Expr> elements) {
    long bytes = 0;
    for (Map.Entry<Element, Expr> entry : elements.entrySet()) {
      bytes = Math.addExact(bytes, bytes(entry.getKey(), entry.getValue()));
    }
    return bytes;
  }

  long bytes(Element element, Expr elements) {
    return Math.multiplyExact(of(elements), (long) type(element).bytes());
  }

  /**
   * A shape. Rows that do not divide evenly among the experts of a rank make a dimension of their
   * products no whole number: then there are fewer products of as many rows in all.
   */
  MatrixShape shape(List<Expr> shape) {
    if (shape.isEmpty()) {
      return MatrixShape.NONE;
    }
    long batch = of(shape.get(0));
    long[] size = new long[shape.size()];
    for (int i = 1; i < size.length; i++) {
      Rational exact = shape.get(i).evaluateExact(bindings);
      size[i] = exact.numerator().longValueExact();
      long parts = exact.denominator().longValueExact();
      if (batch % parts != 0) {
        throw new ArithmeticException(shape.get(i) + " is " + exact + " in " + batch + " products");
      }
      batch /= parts;
    }
    return new MatrixShape(batch, size[1], size[2], size[3]);
  }

  DataType type(Element element) {
    return precision.of(element);
  }

  Group group(List<SubAxis> axes) {
    return new Group.Along(axes);
  }
}
