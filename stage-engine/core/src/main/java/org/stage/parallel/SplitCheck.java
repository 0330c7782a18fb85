package org.stage.parallel;

import java.util.List;
import org.stage.api.graph.AxisRole;
import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;
import org.stage.operator.AxisRoles;
import org.stage.operator.OperatorRule;

/**
 * Refuses what the rules would split and cannot.
 *
 * @param placing the mesh, and which of its axes shard which logical axis
 * @param roles what the axes of the module are
 */
record SplitCheck(Placing placing, AxisRoles roles) {
  /**
   * Checks an operator.
   *
   * @param ring whether keys pass by on a ring, and so may be split
   * @throws IllegalArgumentException if the rules split it where they must not
   */
  void check(Operator operator, boolean ring) {
    operator.inputs().forEach(this::check);
    operator.outputs().forEach(this::check);
    OperatorRule rule = placing.operators().of(operator);
    rule.wholeAxes(operator).forEach(axis -> checkWhole(operator, axis));
    if (!rule.isContraction() && !ring) {
      roles
          .first(operator.axes(), AxisRole.KEY_SEQUENCE)
          .ifPresent(keys -> checkWhole(operator, keys));
    }
  }

  /** Parts of a row say nothing of its norm: no collective after the fact would make it right. */
  private void checkWhole(Operator operator, String axis) {
    List<Integer> rule = placing.rules().of(axis);
    if (!rule.isEmpty()) {
      String symbol = placing.mesh().axes().get(rule.get(0)).symbol();
      throw new IllegalArgumentException(
          "mesh axis " + symbol + " shards " + axis + " of " + operator);
    }
  }

  /** A mesh axis may shard at most one dimension of an operand. */
  private void check(Operand operand) {
    DeviceMesh mesh = placing.mesh();
    for (int m = 0; m < mesh.axes().size(); m++) {
      if (placing.rules().sharded(m, operand.axes()).size() > 1) {
        throw new IllegalArgumentException(
            "mesh axis " + mesh.axes().get(m).symbol() + " shards two axes of " + operand);
      }
    }
  }
}
