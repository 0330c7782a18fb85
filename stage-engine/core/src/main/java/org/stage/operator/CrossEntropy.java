package org.stage.operator;

import java.util.List;
import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;
import org.stage.api.graph.OperatorKind;
import org.stage.api.symbol.Expr;

/** The loss, over a vocabulary that may be sharded, and the gradient of its logits. */
final class CrossEntropy {
  private CrossEntropy() {}

  static List<OperatorRule> rules() {
    return List.of(
        new TargetLogit(OperatorKind.TARGET_LOGIT),
        new ExpSum(OperatorKind.EXP_SUM),
        new NegativeLogLikelihood(OperatorKind.NEGATIVE_LOG_LIKELIHOOD),
        new LogitsGradient(OperatorKind.CROSS_ENTROPY_GRAD));
  }

  /** {@code (logits, labels, max) -> logit of the label minus max}; zero where it is elsewhere. */
  private record TargetLogit(OperatorKind kind) implements OperatorRule {
    @Override
    public int costPerElement() {
      return 0;
    }

    /** It picks one logit of a token. */
    @Override
    public Expr read(int input, Expr elements, Expr written) {
      return input == 0 ? written : elements;
    }
  }

  /** {@code (logits, max) -> sum of exp(logits - max)} over the axis that the output lacks. */
  private record ExpSum(OperatorKind kind) implements OperatorRule {
    @Override
    public int costPerElement() {
      return 3;
    }

    @Override
    public List<String> words() {
      return List.of("exp");
    }
  }

  /** {@code (exp_sum, target) -> log(exp_sum) - target}: the cross-entropy of each token. */
  private record NegativeLogLikelihood(OperatorKind kind) implements OperatorRule {
    @Override
    public int costPerElement() {
      return 2;
    }

    @Override
    public boolean startsGradients() {
      return true;
    }

    /**
     * The gradient of the logits in one kernel from the loss's inputs: the exponential sum and the
     * target logit were made from the logits, their maximum and the labels.
     */
    @Override
    public void differentiate(Operator f, Operand loss, Gradients gradients) {
      Operator expSum = gradients.producer(f.inputs().get(0));
      Operator target = gradients.producer(f.inputs().get(1));
      List<Operand> in =
          List.of(
              expSum.inputs().get(0),
              target.inputs().get(1),
              expSum.inputs().get(1),
              expSum.output());
      List<Operand> logits = expSum.inputs().subList(0, 1);
      gradients.add(GradientNames.of(f.name()), OperatorKind.CROSS_ENTROPY_GRAD, in, logits);
    }

    @Override
    public List<String> words() {
      return List.of("nll", "cross_entropy");
    }
  }

  /** {@code (logits, labels, max, sum) -> dlogits}: softmax, made again, minus one-hot. */
  private record LogitsGradient(OperatorKind kind) implements OperatorRule {
    @Override
    public int costPerElement() {
      return 4;
    }

    /** One kernel, which writes over the logits. */
    @Override
    public boolean worksInPlace() {
      return true;
    }

    @Override
    public List<String> words() {
      return List.of("nll", "cross_entropy");
    }
  }
}
