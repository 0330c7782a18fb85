package org.stage.parallel;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.stage.api.graph.Axis;
import org.stage.api.graph.AxisRole;
import org.stage.api.graph.Element;
import org.stage.api.graph.Operator;
import org.stage.api.symbol.Expr;
import org.stage.operator.AxisRoles;
import org.stage.operator.OperatorRule;
import org.stage.operator.Space;

/**
 * What an operator costs on one device: as its rule counts, with the sizes of the device's part.
 */
final class CostModel implements Space {
  private final Placing placing;
  private final AxisRoles roles;

  /** Costs of operators on axes of these roles. */
  CostModel(Placing placing, AxisRoles roles) {
    this.placing = placing;
    this.roles = roles;
  }

  /** The dimensions of a tensor over the whole job. */
  List<Expr> sizes(List<String> axes) {
    return axes.stream().map(this::size).toList();
  }

  /** Its elements. */
  Expr whole(List<String> axes) {
    return sizes(axes).stream().reduce(Expr.ONE, Expr::times);
  }

  KernelCost of(Operator operator, List<Value> reads, List<Value> writes) {
    OperatorRule rule = placing.operators().of(operator);
    Expr first = writes.get(0).elements();
    Map<Element, Expr> read = new EnumMap<>(Element.class);
    Map<Element, Expr> written = new EnumMap<>(Element.class);
    for (int i = 0; i < reads.size(); i++) {
      add(read, reads.get(i).element(), rule.read(i, reads.get(i).elements(), first));
    }
    for (Value value : writes) {
      Expr elements = rule.written(value.elements(), reads.get(0).elements());
      add(written, value.element(), elements);
      if (value.element() == Element.GRADIENT) {
        // Weight gradients are accumulated over micro-batches where they lie.
        add(read, value.element(), elements);
      }
    }
    return new KernelCost(
        rule.flops(operator, this),
        rule.otherFlops(operator, this, first),
        rule.shape(operator, this),
        read,
        written);
  }

  private static void add(Map<Element, Expr> sums, Element element, Expr elements) {
    sums.merge(element, elements, Expr::plus);
  }

  @Override
  public boolean isCausal() {
    return placing.causal();
  }

  @Override
  public AxisRole role(String axis) {
    return roles.of(axis);
  }

  @Override
  public Expr local(String axis) {
    Expr local = size(axis);
    for (int meshAxis : placing.rules().of(axis)) {
      local = local.over(placing.mesh().axes().get(meshAxis).degree());
    }
    return local;
  }

  private Expr size(String axis) {
    Axis known = roles.axes().get(axis);
    if (known == null) {
      throw new IllegalArgumentException("axis '" + axis + "' has no size");
    }
    return known.size();
  }
}
