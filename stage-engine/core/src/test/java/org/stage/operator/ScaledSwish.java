package org.stage.operator;

import java.util.List;
import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;
import org.stage.api.graph.OperatorKind;

/**
 * An operator that only tests know: {@code (x, scale) -> scale * x * sigmoid(x)}, and its gradient
 * {@code (dy, x, scale) -> (dx, dscale)}.
 */
public final class ScaledSwish {
  private static final OperatorKind GRADIENT = new OperatorKind("scaled_swish_grad");

  /** The engine's operators, and these two. */
  public static final OperatorRules OPERATORS =
      OperatorRules.standard().with(new Forward(), new Backward());

  private ScaledSwish() {}

  private record Forward() implements OperatorRule {
    @Override
    public OperatorKind kind() {
      return new OperatorKind("scaled_swish");
    }

    /** Exponential, sum, quotient, two products. */
    @Override
    public int costPerElement() {
      return 5;
    }

    @Override
    public void differentiate(Operator f, Operand dy, Gradients gradients) {
      OperatorRule.general(f, GRADIENT, 2, 2, dy, gradients);
    }

    @Override
    public List<String> words() {
      return List.of("swish", "silu");
    }
  }

  private record Backward() implements OperatorRule {
    @Override
    public OperatorKind kind() {
      return GRADIENT;
    }

    @Override
    public int costPerElement() {
      return 11;
    }
  }
}
