package org.stage.operator;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.stage.api.graph.AxisRole;
import org.stage.api.graph.Element;
import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;
import org.stage.api.graph.OperatorKind;
import org.stage.api.profile.MeasuredOperator;
import org.stage.api.symbol.Expr;
import org.stage.api.symbol.Rational;

/**
 * Contractions of two operands over the axes that the output lacks, also in 8 bits. An iteration
 * space of {@code n} points counts {@code 2 n} FLOPs.
 *
 * <p>Key/value heads are a coarser view of query heads: in an operator that names both, each
 * key/value head serves {@code heads / kv_heads} query heads, and the iteration space counts query
 * heads alone.
 *
 * @param kind {@code einsum} or {@code scaled_einsum}
 * @param inEightBits what it becomes where it multiplies by weights in 8 bits
 * @param gradient that of its inputs
 */
record Products(OperatorKind kind, Optional<OperatorKind> inEightBits, Gradient gradient)
    implements OperatorRule {
  private static final Map<AxisRole, AxisRole> FINER =
      Map.of(AxisRole.KV_HEADS, AxisRole.HEADS, AxisRole.CORE_KV_HEADS, AxisRole.CORE_HEADS);

  static List<OperatorRule> rules() {
    return List.of(
        new Products(
            OperatorKind.EINSUM, Optional.of(OperatorKind.SCALED_EINSUM), Products::einsum),
        new Products(OperatorKind.SCALED_EINSUM, Optional.empty(), Products::scaled));
  }

  @Override
  public int products() {
    return 1;
  }

  @Override
  public int costPerElement() {
    return 0;
  }

  @Override
  public boolean isContraction() {
    return true;
  }

  @Override
  public PartialSums partialSums(Operator operator) {
    return PartialSums.PASSED_ALONE;
  }

  @Override
  public MeasuredOperator.Kind measuredAs() {
    return MeasuredOperator.Kind.GEMM;
  }

  @Override
  public Expr flops(Operator operator, Space space) {
    Set<String> axes = space(operator);
    axes.removeIf(axis -> isCoarse(axis, operator, space));
    Expr points = axes.stream().map(space::local).reduce(Expr.ONE, Expr::times);
    boolean masked =
        space.isCausal()
            && axes.stream().anyMatch(axis -> space.role(axis) == AxisRole.KEY_SEQUENCE);
    return masked ? points.times(2).times(Expr.of(Rational.of(1, 2))) : points.times(2);
  }

  @Override
  public List<Expr> shape(Operator operator, Space space) {
    List<String> a = operator.inputs().get(0).axes();
    List<String> b = operator.inputs().get(1).axes();
    List<String> out = operator.output().axes();
    Expr batch = Expr.ONE;
    Expr m = Expr.ONE;
    Expr n = Expr.ONE;
    Expr k = Expr.ONE;
    for (String axis : space(operator)) {
      if (isCoarse(axis, operator, space)) {
        continue;
      }
      String coarse = coarser(axis, operator, space);
      boolean inA = a.contains(axis) || a.contains(coarse);
      boolean inB = b.contains(axis) || b.contains(coarse);
      Expr size = space.local(axis);
      if (out.contains(axis)) {
        batch = inA && inB ? batch.times(size) : batch;
        m = inA && !inB ? m.times(size) : m;
        n = inB && !inA ? n.times(size) : n;
      } else if (out.contains(coarse)) {
        batch = batch.times(space.local(coarse));
        k = k.times(size.over(space.local(coarse)));
      } else {
        k = k.times(size);
      }
    }
    return List.of(batch, m, n, k);
  }

  /** What is contracted, and not the blocks of channels that scales have besides. */
  private static Set<String> space(Operator operator) {
    Set<String> axes = new LinkedHashSet<>(operator.inputs().get(0).axes());
    axes.addAll(operator.inputs().get(1).axes());
    axes.addAll(operator.output().axes());
    return axes;
  }

  /** Whether {@code operator} also names the finer view of {@code axis}. */
  private static boolean isCoarse(String axis, Operator operator, Space space) {
    AxisRole finer = FINER.get(space.role(axis));
    return finer != null && operator.axes().stream().anyMatch(other -> space.role(other) == finer);
  }

  /** The coarser view of {@code axis} that {@code operator} also names, or the axis itself. */
  private static String coarser(String axis, Operator operator, Space space) {
    return operator.axes().stream()
        .filter(other -> FINER.get(space.role(other)) == space.role(axis))
        .findFirst()
        .orElse(axis);
  }

  @Override
  public void differentiate(Operator f, Operand dy, Gradients gradients) {
    gradient.add(f, dy, gradients);
  }

  /** The gradient of each operand of a product is a product of the other with dy. */
  private static void einsum(Operator f, Operand dy, Gradients gradients) {
    Operand a = f.inputs().get(0);
    Operand b = f.inputs().get(1);
    boolean weight = gradients.tensor(b.tensor()).element() == Element.WEIGHT;
    OperatorKind kind = OperatorKind.EINSUM;
    gradients.add(
        weight ? GradientNames.ofActivation(f.name()) : GradientNames.ofFactor(f.name(), 0),
        kind,
        List.of(dy, b),
        List.of(a));
    gradients.add(
        weight ? GradientNames.ofWeight(f.name()) : GradientNames.ofFactor(f.name(), 1),
        kind,
        List.of(a, dy),
        List.of(b));
  }

  /**
   * The same in 8 bits: dy is cast where it lies, and the weight once more, as its cast is not
   * kept. The gradients are those of the tensors before their casts.
   */
  private static void scaled(Operator f, Operand dy, Gradients gradients) {
    Operand x = f.inputs().get(0);
    Operand xScale = f.inputs().get(2);
    Operand weight = gradients.uncast(f.inputs().get(1));
    List<Operand> dyCast = gradients.cast(dy);
    Operand weightCast = gradients.cast(weight).get(0);
    OperatorKind kind = OperatorKind.SCALED_EINSUM;
    List<Operand> in = List.of(dyCast.get(0), weightCast, dyCast.get(1), f.inputs().get(3));
    gradients.add(GradientNames.ofActivation(f.name()), kind, in, List.of(gradients.uncast(x)));
    List<Operand> other = List.of(x, dyCast.get(0), xScale, dyCast.get(1));
    gradients.add(GradientNames.ofWeight(f.name()), kind, other, List.of(weight));
  }
}
