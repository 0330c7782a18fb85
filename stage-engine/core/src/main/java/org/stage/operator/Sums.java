package org.stage.operator;

import java.util.List;
import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;
import org.stage.api.graph.OperatorKind;
import org.stage.api.symbol.Expr;

/** Sums of inputs, and sums and maxima over the axes that the output lacks. */
final class Sums {
  private Sums() {}

  static List<OperatorRule> rules() {
    return List.of(
        new Add(OperatorKind.ADD),
        new Reduce(OperatorKind.REDUCE_SUM, "sum", false),
        new Reduce(OperatorKind.REDUCE_MAX, "max", true));
  }

  /** Sum of its inputs; inputs with fewer axes are broadcast. */
  private record Add(OperatorKind kind) implements OperatorRule {
    @Override
    public int costPerElement() {
      return 1;
    }

    @Override
    public PartialSums partialSums(Operator operator) {
      return PartialSums.ADDED;
    }

    @Override
    public boolean isSum() {
      return true;
    }

    @Override
    public Expr otherFlops(Operator operator, Space space, Expr written) {
      return written.times(operator.inputs().size() - 1L);
    }

    /** An addend of full rank receives dy as it is; a broadcast one its sum over other axes. */
    @Override
    public void differentiate(Operator f, Operand dy, Gradients gradients) {
      for (Operand input : f.inputs()) {
        if (input.axes().equals(dy.axes())) {
          gradients.contribute(input, dy);
        } else {
          OperatorKind sum = OperatorKind.REDUCE_SUM;
          gradients.add(GradientNames.of(f.name()), sum, List.of(dy), List.of(input));
        }
      }
    }
  }

  private record Reduce(OperatorKind kind, String word, boolean yieldsMaxima)
      implements OperatorRule {
    @Override
    public int costPerElement() {
      return 1;
    }

    @Override
    public PartialSums partialSums(Operator operator) {
      return yieldsMaxima ? PartialSums.REDUCED : PartialSums.PASSED_ALONE;
    }

    @Override
    public List<String> words() {
      return List.of(word);
    }
  }
}
