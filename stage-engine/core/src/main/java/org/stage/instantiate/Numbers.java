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

  MatrixShape shape(List<Expr> shape) {
    if (shape.isEmpty()) {
      return MatrixShape.NONE;
    }
    List<Long> sizes = shape.stream().map(this::roundedUp).toList();
    long k = sizes.get(3);
    return new MatrixShape(
        sizes.get(0), sizes.get(1), sizes.get(2), k, sizes.size() > 4 ? sizes.get(4) : k);
  }

  /** Rows of an expert under a uniform load need not be whole; what is summed over experts is. */
  private long roundedUp(Expr size) {
    Rational exact = size.evaluateExact(bindings);
    return exact.isInteger()
        ? of(size)
        : exact.numerator().divide(exact.denominator()).longValueExact() + 1;
  }

  DataType type(Element element) {
    return precision.of(element);
  }

  Group group(List<SubAxis> axes) {
    return new Group.Along(axes);
  }
}
