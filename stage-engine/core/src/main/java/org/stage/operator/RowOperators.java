package org.stage.operator;

import static org.stage.operator.OperatorRule.general;

import java.util.List;
import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;
import org.stage.api.graph.OperatorKind;
import org.stage.api.profile.MeasuredOperator;
import org.stage.operator.OperatorRule.PartialSums;

/**
 * Operators that work on whole rows, that is along the last axis: parts of a row say too little.
 */
final class RowOperators {
  private static final MeasuredOperator.Kind NORM = MeasuredOperator.Kind.NORM;
  private static final MeasuredOperator.Kind OTHER = MeasuredOperator.Kind.ELEMENTWISE;

  /** A rotation is linear; what divides by a norm of the row is not. */
  private static final PartialSums LINEAR = PartialSums.PASSED_ALONE;

  private static final PartialSums REDUCED = PartialSums.REDUCED;
  private static final List<String> ROTATES = List.of("rotary", "rope");

  private RowOperators() {}

  static List<OperatorRule> rules() {
    OperatorKind rotary = OperatorKind.ROTARY;
    OperatorKind rotaryGrad = OperatorKind.ROTARY_GRAD;
    return List.of(
        new Rule(
            OperatorKind.SOFTMAX, 5, OTHER, List.of("softmax"), REDUCED, RowOperators::softmax),
        new Rule(OperatorKind.SOFTMAX_GRAD, 4, OTHER, List.of("softmax"), REDUCED, Gradient.NONE),
        norm(OperatorKind.LAYER_NORM, 8, OperatorKind.LAYER_NORM_GRAD),
        gradient(OperatorKind.LAYER_NORM_GRAD, 14),
        norm(OperatorKind.RMS_NORM, 4, OperatorKind.RMS_NORM_GRAD),
        gradient(OperatorKind.RMS_NORM_GRAD, 10),
        new Rule(rotary, 3, OTHER, ROTATES, LINEAR, RowOperators::rotary),
        new Rule(rotaryGrad, 3, OTHER, ROTATES, LINEAR, Gradient.NONE));
  }

  private static Rule norm(OperatorKind kind, int cost, OperatorKind gradient) {
    return new Rule(
        kind,
        cost,
        NORM,
        List.of(kind.text()),
        REDUCED,
        (f, dy, gradients) -> general(f, gradient, f.inputs().size(), 2, dy, gradients));
  }

  private static Rule gradient(OperatorKind kind, int cost) {
    return new Rule(kind, cost, NORM, List.of(kind.text()), REDUCED, Gradient.NONE);
  }

  /** The gradient reads what the softmax made. */
  private static void softmax(Operator f, Operand dy, Gradients gradients) {
    List<Operand> in = List.of(dy, f.output());
    gradients.add(GradientNames.of(f.name()), OperatorKind.SOFTMAX_GRAD, in, f.inputs());
  }

  private static void rotary(Operator f, Operand dy, Gradients gradients) {
    general(f, OperatorKind.ROTARY_GRAD, 1, 0, dy, gradients);
  }

  private record Rule(
      OperatorKind kind,
      int costPerElement,
      MeasuredOperator.Kind measuredAs,
      List<String> words,
      PartialSums sums,
      Gradient gradient)
      implements OperatorRule {
    @Override
    public PartialSums partialSums(Operator operator) {
      return sums;
    }

    @Override
    public List<String> wholeAxes(Operator operator) {
      return OperatorRule.last(operator.inputs().get(0));
    }

    /** A norm divides by a root, which nothing else of a layer does. */
    @Override
    public List<String> parts() {
      return measuredAs == NORM ? List.of("norm", "rsqrt") : words;
    }

    @Override
    public List<String> modules() {
      return measuredAs == NORM ? List.of("norm") : words;
    }

    @Override
    public void differentiate(Operator f, Operand dy, Gradients gradients) {
      gradient.add(f, dy, gradients);
    }
  }
}
