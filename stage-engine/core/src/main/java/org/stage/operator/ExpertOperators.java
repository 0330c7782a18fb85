package org.stage.operator;

import static org.stage.operator.OperatorRule.general;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;
import org.stage.api.graph.OperatorKind;
import org.stage.operator.OperatorRule.PartialSums;

/**
 * Tokens to rows of the experts that are chosen for them, and back; no product. Both ways are
 * linear, and a token is narrower than the rows of all its experts: sums over ranks come where
 * tokens are.
 */
final class ExpertOperators {
  private ExpertOperators() {}

  static List<OperatorRule> rules() {
    return List.of(
        new Rule(OperatorKind.DISPATCH, 0, true, ExpertOperators::dispatch),
        new Rule(OperatorKind.DISPATCH_GRAD, 1, false, Gradient.NONE),
        new Rule(OperatorKind.COMBINE, 2, false, ExpertOperators::combine),
        new Rule(OperatorKind.COMBINE_GRAD, 3, true, Gradient.NONE));
  }

  /** What the chosen experts give back to a token is added up. */
  private static void dispatch(Operator f, Operand dy, Gradients gradients) {
    List<Operand> in = List.of(dy, f.inputs().get(1));
    List<Operand> tokens = f.inputs().subList(0, 1);
    gradients.add(GradientNames.of(f.name()), OperatorKind.DISPATCH_GRAD, in, tokens);
  }

  /** Without gates its gradient reads nothing else. */
  private static void combine(Operator f, Operand dy, Gradients gradients) {
    int inputs = f.inputs().size();
    general(f, OperatorKind.COMBINE_GRAD, inputs, 2 * (inputs - 1), dy, gradients);
  }

  /**
   * Works on rows of experts.
   *
   * @param writesRows whether these are its output, and not its first input
   */
  private record Rule(OperatorKind kind, int costPerElement, boolean writesRows, Gradient gradient)
      implements OperatorRule {
    /**
     * Sums are passed from rows to tokens, which are fewer; but gates have an entry for each
     * expert, and rows only for those that are chosen.
     */
    @Override
    public PartialSums partialSums(Operator operator) {
      List<String> from = OperatorRule.last(operator.inputs().get(0));
      boolean ofGates = !from.equals(OperatorRule.last(operator.output()));
      return kind.equals(OperatorKind.DISPATCH) || ofGates
          ? PartialSums.REDUCED
          : PartialSums.PASSED_ALONE;
    }

    /** Rows and gates are factors of each other: the gradient of one reads the other. */
    @Override
    public boolean reaches(int input, int output) {
      return !kind.equals(OperatorKind.COMBINE_GRAD) || input != output + 1;
    }

    @Override
    public Set<String> counted(Operator operator) {
      Operand rows = writesRows ? operator.output() : operator.inputs().get(0);
      return new LinkedHashSet<>(rows.axes());
    }

    @Override
    public void differentiate(Operator f, Operand dy, Gradients gradients) {
      gradient.add(f, dy, gradients);
    }
  }
}
