package org.stage.parallel;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;
import org.stage.api.graph.OperatorKind;

/**
 * Refuses what the rules would split and cannot.
 *
 * @param mesh the mesh
 * @param rules which of its axes shard which logical axis
 */
record SplitCheck(DeviceMesh mesh, ShardingRules rules) {
  /** Kinds that work on whole rows, that is along the last axis. */
  private static final Set<OperatorKind> WHOLE_ROWS =
      EnumSet.of(
          OperatorKind.SOFTMAX,
          OperatorKind.SOFTMAX_GRAD,
          OperatorKind.LAYER_NORM,
          OperatorKind.LAYER_NORM_GRAD,
          OperatorKind.RMS_NORM,
          OperatorKind.RMS_NORM_GRAD,
          OperatorKind.ROTARY,
          OperatorKind.ROTARY_GRAD,
          OperatorKind.ATTENTION,
          OperatorKind.ATTENTION_GRAD);

  /**
   * Checks an operator.
   *
   * @param ring whether keys pass by on a ring, and so may be split
   * @throws IllegalArgumentException if the rules split it where they must not
   */
  void check(Operator operator, boolean ring) {
    operator.inputs().forEach(this::check);
    operator.outputs().forEach(this::check);
    if (WHOLE_ROWS.contains(operator.kind())) {
      lastOf(operator.inputs().get(0)).forEach(axis -> checkWhole(operator, axis));
    }
    if (operator.kind() == OperatorKind.SPLIT || operator.kind() == OperatorKind.CONCAT) {
      operator.inputs().forEach(in -> lastOf(in).forEach(axis -> checkWhole(operator, axis)));
      operator.outputs().forEach(out -> lastOf(out).forEach(axis -> checkWhole(operator, axis)));
    }
    boolean product = operator.kind() == OperatorKind.EINSUM;
    if (operator.axes().contains("kv_seq") && !product && !ring) {
      checkWhole(operator, "kv_seq");
    }
  }

  /** The last axis of an operand, if it has one. */
  static List<String> lastOf(Operand operand) {
    List<String> axes = operand.axes();
    return axes.isEmpty() ? axes : axes.subList(axes.size() - 1, axes.size());
  }

  /** Parts of a row say nothing of its norm: no collective after the fact would make it right. */
  private void checkWhole(Operator operator, String axis) {
    if (!rules.of(axis).isEmpty()) {
      String symbol = mesh.axes().get(rules.of(axis).get(0)).symbol();
      throw new IllegalArgumentException(
          "mesh axis " + symbol + " shards " + axis + " of " + operator);
    }
  }

  /** A mesh axis may shard at most one dimension of an operand. */
  private void check(Operand operand) {
    for (int m = 0; m < mesh.axes().size(); m++) {
      if (rules.sharded(m, operand.axes()).size() > 1) {
        throw new IllegalArgumentException(
            "mesh axis " + mesh.axes().get(m).symbol() + " shards two axes of " + operand);
      }
    }
  }
}
