package org.stage.parallel;

import static org.stage.api.graph.OperatorKind.ADD;
import static org.stage.api.graph.OperatorKind.ATTENTION;
import static org.stage.api.graph.OperatorKind.ATTENTION_GRAD;
import static org.stage.api.graph.OperatorKind.EINSUM;
import static org.stage.api.graph.OperatorKind.LOOKUP;
import static org.stage.api.graph.OperatorKind.LOOKUP_GRAD;
import static org.stage.api.graph.OperatorKind.SCALED_EINSUM;
import static org.stage.api.graph.OperatorKind.TARGET_LOGIT;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.stage.api.graph.Axis;
import org.stage.api.graph.Element;
import org.stage.api.graph.Operator;
import org.stage.api.symbol.Expr;
import org.stage.api.symbol.Rational;

/**
 * What an operator costs on one device: FLOPs from its iteration space, bytes from its operands.
 *
 * <p>{@code kv_heads} is a coarser view of {@code heads}: in an operator that names both, each
 * key/value head serves {@code heads / kv_heads} query heads, and the iteration space counts {@code
 * heads} alone.
 */
final class CostModel {
  private static final Map<String, String> FINER =
      Map.of("kv_heads", "heads", "core_kv_heads", "core_heads");

  private final DeviceMesh mesh;
  private final ShardingRules rules;
  private final Map<String, Expr> sizes = new HashMap<>();
  private final boolean causal;

  /** Halves the products of attention where {@code causal}. */
  CostModel(DeviceMesh mesh, ShardingRules rules, List<Axis> axes, boolean causal) {
    this.mesh = mesh;
    this.rules = rules;
    this.causal = causal;
    axes.forEach(axis -> sizes.put(axis.name(), axis.size()));
  }

  /** The size of a tensor over the whole job. */
  Expr whole(List<String> axes) {
    return axes.stream().map(this::size).reduce(Expr.ONE, Expr::times);
  }

  KernelCost of(Operator operator, List<Value> reads, List<Value> writes) {
    Map<Element, Expr> read = new EnumMap<>(Element.class);
    Map<Element, Expr> written = new EnumMap<>(Element.class);
    for (int i = 0; i < reads.size(); i++) {
      add(read, reads.get(i).element(), touched(operator, i, reads.get(i), writes.get(0)));
    }
    for (Value value : writes) {
      Expr elements = operator.kind() == LOOKUP_GRAD ? reads.get(0).elements() : value.elements();
      add(written, value.element(), elements);
      if (value.element() == Element.GRADIENT) {
        // Weight gradients are accumulated over micro-batches where they lie.
        add(read, value.element(), elements);
      }
    }
    Expr other =
        operator.kind() == ADD
            ? writes.get(0).elements().times(reads.size() - 1L)
            : otherFlops(operator);
    return new KernelCost(flops(operator), other, shape(operator), read, written);
  }

  /** Elements of an input that are read: of a table only the rows that are looked up. */
  private Expr touched(Operator operator, int input, Value value, Value output) {
    boolean rows = operator.kind() == LOOKUP && input == 0;
    boolean picks = operator.kind() == TARGET_LOGIT && input == 0;
    return rows || picks ? output.elements() : value.elements();
  }

  private static void add(Map<Element, Expr> sums, Element element, Expr elements) {
    sums.merge(element, elements, Expr::plus);
  }

  private Expr flops(Operator operator) {
    if (operator.kind().products() == 0) {
      return Expr.ZERO;
    }
    if (isAttention(operator)) {
      Expr flops = attentionFlops(operator);
      return causal ? flops.times(Expr.of(Rational.of(1, 2))) : flops;
    }
    Set<String> space = new LinkedHashSet<>(operator.axes());
    space.removeIf(axis -> isCoarse(axis, operator));
    Expr points = space.stream().map(this::local).reduce(Expr.ONE, Expr::times);
    Expr flops = points.times(2L * operator.kind().products());
    boolean attention = space.contains("kv_seq");
    return causal && attention ? flops.times(Expr.of(Rational.of(1, 2))) : flops;
  }

  /**
   * Forward a product of queries and keys and one of scores and values; backward three of the one
   * width and two of the other.
   */
  private Expr attentionFlops(Operator operator) {
    List<Expr> shape = attentionShape(operator);
    long more = operator.kind() == ATTENTION ? 0 : 1;
    Expr widths = shape.get(3).times(1 + 2 * more).plus(shape.get(4).times(1 + more));
    return shape.subList(0, 3).stream().reduce(widths.times(2), Expr::times);
  }

  private static boolean isAttention(Operator operator) {
    return operator.kind() == ATTENTION || operator.kind() == ATTENTION_GRAD;
  }

  /** The stated cost over the iteration space. */
  private Expr otherFlops(Operator operator) {
    if (isAttention(operator)) {
      // The softmax within: 5 operations a score forward, 4 more backward.
      long cost = operator.kind() == ATTENTION ? 5 : 9;
      return attentionShape(operator).subList(0, 3).stream().reduce(Expr.of(cost), Expr::times);
    }
    Set<String> space = operator.axes();
    // These work on rows: those looked up, or those of the experts.
    space =
        switch (operator.kind()) {
          case LOOKUP_GRAD, DISPATCH_GRAD, COMBINE ->
              new LinkedHashSet<>(operator.inputs().get(0).axes());
          case DISPATCH, COMBINE_GRAD -> new LinkedHashSet<>(operator.output().axes());
          default -> space;
        };
    return space.stream()
        .map(this::local)
        .reduce(Expr.of(operator.kind().costPerElement()), Expr::times);
  }

  /** Whether {@code operator} also names the finer view of {@code axis}. */
  private static boolean isCoarse(String axis, Operator operator) {
    String finer = FINER.get(axis);
    return finer != null && operator.axes().contains(finer);
  }

  /** Heads of all sequences, queries, keys, their width, that of values; from q, k and v. */
  private List<Expr> attentionShape(Operator operator) {
    int q = operator.kind() == ATTENTION ? 0 : 1;
    List<String> queries = operator.inputs().get(q).axes();
    List<String> keys = operator.inputs().get(q + 1).axes();
    return List.of(
        local(queries.get(0)).times(local(queries.get(2))),
        local(queries.get(1)),
        local(keys.get(1)),
        local(queries.get(3)),
        local(operator.inputs().get(q + 2).axes().get(3)));
  }

  private List<Expr> shape(Operator operator) {
    if (isAttention(operator)) {
      return attentionShape(operator);
    }
    if (operator.kind() != EINSUM && operator.kind() != SCALED_EINSUM) {
      return List.of();
    }
    List<String> a = operator.inputs().get(0).axes();
    List<String> b = operator.inputs().get(1).axes();
    List<String> out = operator.output().axes();
    Expr batch = Expr.ONE;
    Expr m = Expr.ONE;
    Expr n = Expr.ONE;
    Expr k = Expr.ONE;
    for (String axis : operator.axes()) {
      if (isCoarse(axis, operator)) {
        continue;
      }
      String coarse = coarser(axis, operator);
      boolean inA = a.contains(axis) || a.contains(coarse);
      boolean inB = b.contains(axis) || b.contains(coarse);
      Expr size = local(axis);
      if (out.contains(axis)) {
        batch = inA && inB ? batch.times(size) : batch;
        m = inA && !inB ? m.times(size) : m;
        n = inB && !inA ? n.times(size) : n;
      } else if (out.contains(coarse)) {
        batch = batch.times(local(coarse));
        k = k.times(size.over(local(coarse)));
      } else {
        k = k.times(size);
      }
    }
    return List.of(batch, m, n, k);
  }

  /** The coarser view of {@code axis} that {@code operator} also names, or the axis itself. */
  private static String coarser(String axis, Operator operator) {
    return FINER.entrySet().stream()
        .filter(view -> view.getValue().equals(axis) && operator.axes().contains(view.getKey()))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(axis);
  }

  private Expr local(String axis) {
    Expr local = size(axis);
    for (int meshAxis : rules.of(axis)) {
      local = local.over(mesh.axes().get(meshAxis).degree());
    }
    return local;
  }

  private Expr size(String axis) {
    Expr size = sizes.get(axis);
    if (size == null) {
      throw new IllegalArgumentException("axis '" + axis + "' has no size");
    }
    return size;
  }
}
