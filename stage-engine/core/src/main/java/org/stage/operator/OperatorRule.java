package org.stage.operator;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;
import org.stage.api.graph.OperatorKind;
import org.stage.api.profile.MeasuredOperator;
import org.stage.api.symbol.Expr;

/**
 * All that is known of one kind of operator. What is not said is that of an operator which works
 * element by element, is split wherever its axes are, and has no gradient.
 */
public interface OperatorRule {
  /** The operator. */
  OperatorKind kind();

  /** Matrix products over the space that it works on. */
  default int products() {
    return 0;
  }

  /** Other operations than products, per element of the space that it works on. */
  int costPerElement();

  /** What becomes of partial sums that it reads. */
  enum PartialSums {
    /** They are reduced before. */
    REDUCED,
    /** It is linear in each input apart: those of one input give partial sums of the output. */
    PASSED_ALONE,
    /** It is linear in all inputs together: partial sums of all of them give partial sums. */
    PASSED_TOGETHER,
    /** It is their sum: the same, and inputs that are partial are added up before the others. */
    ADDED
  }

  /** Whether it adds its inputs up, of which those of fewer axes count for all others alike. */
  default boolean isSum() {
    return false;
  }

  /** What becomes of partial sums that it reads. */
  default PartialSums partialSums(Operator operator) {
    return PartialSums.REDUCED;
  }

  /**
   * Whether it reads an input for an output: partial sums reach no output for which nobody reads
   * them.
   *
   * @param input index of the input
   * @param output index of the output
   */
  default boolean reaches(int input, int output) {
    return true;
  }

  /** Whether devices that hold parts of an axis which its output lacks yield partial maxima. */
  default boolean yieldsMaxima() {
    return false;
  }

  /** Axes that must be whole on each device: no collective after the fact would make it right. */
  default List<String> wholeAxes(Operator operator) {
    return List.of();
  }

  /** Whether an axis that its output lacks may be split, which yields partial sums. */
  default boolean isContraction() {
    return false;
  }

  /**
   * How keys and values pass by on a ring of devices instead of being whole.
   *
   * @param keys index of the keys among the inputs; the values follow them
   * @param merge what joins the results for two parts of the keys; without, the operator makes
   *     gradients: those of queries, which are added up, then those of keys and values, which go
   *     round
   */
  record Ring(int keys, Optional<OperatorKind> merge) {}

  /** How it works on a ring, if it can. */
  default Optional<Ring> ring() {
    return Optional.empty();
  }

  /**
   * What it becomes where its second input is a weight and layers multiply by weights in 8 bits; it
   * reads the casts of both inputs, then their scales.
   */
  default Optional<OperatorKind> inEightBits() {
    return Optional.empty();
  }

  /** Whether it makes a cast of its first input, which has the gradient of what it is cast from. */
  default boolean isCast() {
    return false;
  }

  /** Whether its outputs are the memory of its input, one after the other: no kernel runs. */
  default boolean isView() {
    return false;
  }

  /** Whether its output takes the place of its first input, where nobody else reads that. */
  default boolean worksInPlace() {
    return false;
  }

  /** FLOPs of its matrix products on one device; a multiply-add is 2. */
  default Expr flops(Operator operator, Space space) {
    return Expr.ZERO;
  }

  /**
   * The dimensions of its matrix products: batch, m, n, k, and of attention the width of values.
   */
  default List<Expr> shape(Operator operator, Space space) {
    return List.of();
  }

  /** The axes over which its other work is counted. */
  default Set<String> counted(Operator operator) {
    return operator.axes();
  }

  /**
   * Other operations on one device.
   *
   * @param written elements of its first output
   */
  default Expr otherFlops(Operator operator, Space space, Expr written) {
    return counted(operator).stream()
        .map(space::local)
        .reduce(Expr.of(costPerElement()), Expr::times);
  }

  /**
   * Elements that it reads of an input.
   *
   * @param input index of the input
   * @param elements elements of it on the device
   * @param written elements of its first output
   */
  default Expr read(int input, Expr elements, Expr written) {
    return elements;
  }

  /**
   * Elements that it writes of an output.
   *
   * @param elements elements of it on the device
   * @param firstRead elements of its first input
   */
  default Expr written(Expr elements, Expr firstRead) {
    return elements;
  }

  /**
   * Whether it takes part in differentiation without a gradient of its first output coming back.
   */
  default boolean startsGradients() {
    return false;
  }

  /**
   * Adds what computes the gradients of its inputs.
   *
   * @param f the operator
   * @param dy the gradient of its first output; of one that starts gradients the output itself
   * @throws IllegalArgumentException if no gradient is known of it
   */
  default void differentiate(Operator f, Operand dy, Gradients gradients) {
    throw new IllegalArgumentException("no gradient is known of " + f);
  }

  /** What sort of work profilers take it for. */
  default MeasuredOperator.Kind measuredAs() {
    return MeasuredOperator.Kind.ELEMENTWISE;
  }

  /** Whether profilers count the elements that it writes, and not those that it reads. */
  default boolean isMeasuredByOutput() {
    return false;
  }

  /** Words one of which stands in the name that profilers have for it. */
  default List<String> words() {
    return List.of(kind().text());
  }

  /**
   * Words of which one stands in the name of a kernel that frameworks run for it and for nothing
   * else, where they do it in several.
   */
  default List<String> parts() {
    return List.of();
  }

  /** Words of which one stands in the class of a framework's module that does it alone. */
  default List<String> modules() {
    return List.of();
  }

  /** The last axis of an operand, if it has one. */
  static List<String> last(Operand operand) {
    int size = operand.axes().size();
    return operand.axes().subList(Math.max(0, size - 1), size);
  }

  /** {@code (d of the first inputs) = kind(dy, the first saved inputs)}. */
  static void general(
      Operator f, OperatorKind kind, int wanted, int saved, Operand dy, Gradients gradients) {
    List<Operand> in = new ArrayList<>(List.of(dy));
    in.addAll(f.inputs().subList(0, saved));
    gradients.add(GradientNames.of(f.name()), kind, in, f.inputs().subList(0, wanted));
  }
}
