package org.stage.operator;

import static org.stage.operator.OperatorRule.general;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;
import org.stage.api.graph.OperatorKind;

/** Operators that work element by element. */
final class ElementwiseOperators {
  private static final String SWIGLU = "swiglu";

  /** Of a gated unit the gate goes through an activation of its own. */
  private static final List<String> GATES = List.of(SWIGLU, "silu", "gelu");

  private ElementwiseOperators() {}

  static List<OperatorRule> rules() {
    return List.of(
        new Rule(
            OperatorKind.GELU,
            8,
            "gelu",
            (f, dy, gradients) -> general(f, OperatorKind.GELU_GRAD, 1, 1, dy, gradients)),
        new Rule(OperatorKind.GELU_GRAD, 13, "gelu", Gradient.NONE),
        new Rule(OperatorKind.SWIGLU, 5, SWIGLU, ElementwiseOperators::swiglu),
        new Rule(OperatorKind.SWIGLU_GRAD, 10, SWIGLU, Gradient.NONE),
        new Rule(
            OperatorKind.DROPOUT,
            2,
            "dropout",
            (f, dy, gradients) ->
                gradients.add(
                    GradientNames.of(f.name()),
                    OperatorKind.DROPOUT_GRAD,
                    List.of(dy, f.outputs().get(1)),
                    f.inputs())),
        new Rule(OperatorKind.DROPOUT_GRAD, 1, "dropout", Gradient.NONE),
        new Quantize(OperatorKind.QUANTIZE),
        new QuantizeBlocks(OperatorKind.QUANTIZE_BLOCKS));
  }

  private static void swiglu(Operator f, Operand dy, Gradients gradients) {
    int inputs = f.inputs().size();
    general(f, OperatorKind.SWIGLU_GRAD, inputs, inputs, dy, gradients);
  }

  /** {@code (x, scale) -> x / scale} in 8 bits, with the maximum for the next scale. */
  private record Quantize(OperatorKind kind) implements OperatorRule {
    @Override
    public int costPerElement() {
      return 2;
    }

    @Override
    public boolean isCast() {
      return true;
    }
  }

  /**
   * Each block is divided by the scale that its own maximum gives. What it makes can be sent
   * instead of its input: the gradient of the cast is that of the input.
   */
  private record QuantizeBlocks(OperatorKind kind) implements OperatorRule {
    @Override
    public int costPerElement() {
      return 2;
    }

    @Override
    public Set<String> counted(Operator operator) {
      return new LinkedHashSet<>(operator.inputs().get(0).axes());
    }

    @Override
    public List<String> wholeAxes(Operator operator) {
      return OperatorRule.last(operator.inputs().get(0));
    }

    @Override
    public void differentiate(Operator f, Operand dy, Gradients gradients) {
      gradients.contribute(f.inputs().get(0), dy);
    }
  }

  private record Rule(OperatorKind kind, int costPerElement, String word, Gradient gradient)
      implements OperatorRule {
    @Override
    public void differentiate(Operator f, Operand dy, Gradients gradients) {
      gradient.add(f, dy, gradients);
    }

    @Override
    public List<String> words() {
      return List.of(word);
    }

    @Override
    public List<String> parts() {
      return word.equals(SWIGLU) ? GATES : words();
    }

    @Override
    public List<String> modules() {
      return parts();
    }
  }
}
