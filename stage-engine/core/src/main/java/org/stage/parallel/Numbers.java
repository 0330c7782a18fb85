package org.stage.parallel;

import java.util.ArrayList;
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
import org.stage.api.workload.TensorType;
import org.stage.module.SizeSymbols;

/** Values of the symbols of a job: where sizes become numbers, and elements bytes. */
public final class Numbers {
  private final DeviceMesh mesh;
  private final Map<String, Long> bindings;
  private final Precision precision;
  private final boolean singlePrecision;
  private final Map<Expr, Long> known = new HashMap<>();
  private final Map<Expr, Rational> exact = new HashMap<>();

  /**
   * Binds every symbol of the job's graph.
   *
   * @param singlePrecision whether tensor parallelism sends activations in 32-bit floats
   */
  public Numbers(
      DeviceMesh mesh, Map<String, Long> bindings, Precision precision, boolean singlePrecision) {
    this.mesh = mesh;
    this.bindings = Map.copyOf(bindings);
    this.precision = precision;
    this.singlePrecision = singlePrecision;
  }

  /** The same with values of further symbols. */
  public Numbers with(Map<String, Long> further) {
    Map<String, Long> both = new HashMap<>(bindings);
    both.putAll(further);
    return new Numbers(mesh, both, precision, singlePrecision);
  }

  /**
   * The value of a size.
   *
   * @throws ArithmeticException if it is not whole or exceeds 64 bits
   */
  public long of(Expr expr) {
    return known.computeIfAbsent(expr, e -> e.evaluate(bindings));
  }

  /** Elements with which a rank takes part in an exchange: of rows, as many as the fullest rank. */
  public long exchanged(Expr input) {
    return of(input.substitute(SizeSymbols.HELD_ROWS, Expr.symbol(SizeSymbols.MOST_ROWS)));
  }

  /** Bytes of all elements of a kernel. */
  public long bytes(Map<Element, Expr> elements) {
    long bytes = 0;
    for (Map.Entry<Element, Expr> entry : elements.entrySet()) {
      bytes = Math.addExact(bytes, bytes(entry.getKey(), entry.getValue()));
    }
    return bytes;
  }

  /**
   * Bytes of elements of one kind on each rank, if all had the same rows of experts: what ranks
   * must decide alike is decided by these.
   */
  public Rational evenBytes(Element element, Expr elements) {
    Expr rows = Expr.symbol(SizeSymbols.EXPERT_ROWS);
    Expr even = elements.substitute(SizeSymbols.HELD_ROWS, rows);
    return even.evaluateExact(bindings).times(Rational.of(type(element).bytes()));
  }

  /** Bytes of elements of one kind. */
  public long bytes(Element element, Expr elements) {
    return type(element).bytes(of(elements));
  }

  /**
   * The type of a tensor. Rows that do not divide evenly among the experts of a rank make a
   * dimension no whole number: then it is one with the dimensions before it, down to the first that
   * makes it whole, or else with those behind it.
   *
   * @throws ArithmeticException if the elements of all dimensions are no whole number
   */
  public TensorType tensor(Element element, List<Expr> dims) {
    List<Long> whole = new ArrayList<>();
    Rational open = Rational.ONE;
    for (Expr dim : dims) {
      Rational size = exact.computeIfAbsent(dim, e -> e.evaluateExact(bindings)).times(open);
      while (!size.isInteger() && !whole.isEmpty()) {
        size = size.times(Rational.of(whole.remove(whole.size() - 1)));
      }
      open = size.isInteger() ? Rational.ONE : size;
      if (size.isInteger()) {
        whole.add(size.numerator().longValueExact());
      }
    }
    if (!open.isInteger()) {
      throw new ArithmeticException("a tensor of " + dims + " has " + open + " elements");
    }
    return new TensorType(whole, type(element));
  }

  /**
   * A shape. Rows that do not divide evenly among the experts of a rank make a dimension of their
   * products no whole number: then there are fewer products of as many rows in all.
   */
  public MatrixShape shape(List<Expr> shape) {
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
    long k = size[3];
    return new MatrixShape(batch, size[1], size[2], k, size.length > 4 ? size[4] : k);
  }

  /** The type of an element. */
  public DataType type(Element element) {
    return precision.of(element);
  }

  /** The type in which an element goes over mesh axes. */
  public DataType type(Element element, List<Integer> meshAxes) {
    boolean single =
        singlePrecision
            && element == Element.ACTIVATION
            && mesh.partsOf("tp").stream().anyMatch(meshAxes::contains);
    return single ? DataType.FP32 : type(element);
  }

  /** The ranks that differ along mesh axes. */
  public Group group(List<Integer> meshAxes) {
    return new Group.Along(mesh.join(meshAxes));
  }
}
