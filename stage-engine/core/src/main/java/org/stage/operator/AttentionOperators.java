package org.stage.operator;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;
import org.stage.api.graph.OperatorKind;
import org.stage.api.profile.MeasuredOperator;
import org.stage.api.symbol.Expr;
import org.stage.api.symbol.Rational;

/**
 * Flash attention: {@code (q, k, v) -> (o, lse)}, a product of queries and keys and one of scores
 * and values, with a softmax on the fly; backward {@code (do, q, k, v, o, lse) -> (dq, dk, dv)}
 * makes the scores again, three products of the one width and two of the other in all.
 *
 * @param kind {@code attention} or {@code attention_grad}
 */
record AttentionOperators(OperatorKind kind) implements OperatorRule {
  static List<OperatorRule> rules() {
    return List.of(
        new AttentionOperators(OperatorKind.ATTENTION),
        new AttentionOperators(OperatorKind.ATTENTION_GRAD),
        new Merge(OperatorKind.ATTENTION_MERGE));
  }

  /** {@code (o, lse, o, lse) -> (o, lse)}: joins attention to two parts of the keys. */
  private record Merge(OperatorKind kind) implements OperatorRule {
    /** By the log-sum-exp of each part: two products and a sum. */
    @Override
    public int costPerElement() {
      return 3;
    }
  }

  @Override
  public int products() {
    return isForward() ? 2 : 5;
  }

  private boolean isForward() {
    return kind.equals(OperatorKind.ATTENTION);
  }

  /** Of a score, the softmax within: 5 operations forward, 4 more backward. */
  @Override
  public int costPerElement() {
    return isForward() ? 5 : 9;
  }

  @Override
  public List<String> wholeAxes(Operator operator) {
    return OperatorRule.last(operator.inputs().get(0));
  }

  @Override
  public Optional<Ring> ring() {
    return Optional.of(
        isForward()
            ? new Ring(1, Optional.of(OperatorKind.ATTENTION_MERGE))
            : new Ring(2, Optional.empty()));
  }

  @Override
  public Expr flops(Operator operator, Space space) {
    List<Expr> shape = shape(operator, space);
    long more = isForward() ? 0 : 1;
    Expr widths = shape.get(3).times(1 + 2 * more).plus(shape.get(4).times(1 + more));
    Expr flops = shape.subList(0, 3).stream().reduce(widths.times(2), Expr::times);
    return space.isCausal() ? flops.times(Expr.of(Rational.of(1, 2))) : flops;
  }

  @Override
  public Expr otherFlops(Operator operator, Space space, Expr written) {
    return shape(operator, space).subList(0, 3).stream()
        .reduce(Expr.of(costPerElement()), Expr::times);
  }

  /** Heads of all sequences, queries, keys, their width, that of values; from q, k and v. */
  @Override
  public List<Expr> shape(Operator operator, Space space) {
    int q = isForward() ? 0 : 1;
    List<String> queries = operator.inputs().get(q).axes();
    List<String> keys = operator.inputs().get(q + 1).axes();
    return List.of(
        space.local(queries.get(0)).times(space.local(queries.get(2))),
        space.local(queries.get(1)),
        space.local(keys.get(1)),
        space.local(queries.get(3)),
        space.local(operator.inputs().get(q + 2).axes().get(3)));
  }

  @Override
  public void differentiate(Operator f, Operand dy, Gradients gradients) {
    if (!isForward()) {
      Gradient.NONE.add(f, dy, gradients);
    }
    List<Operand> in = new ArrayList<>(List.of(dy));
    in.addAll(f.inputs());
    in.addAll(f.outputs());
    gradients.add(GradientNames.of(f.name()), OperatorKind.ATTENTION_GRAD, in, f.inputs());
  }

  @Override
  public MeasuredOperator.Kind measuredAs() {
    return MeasuredOperator.Kind.ATTENTION;
  }
}
