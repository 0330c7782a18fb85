package org.stage.parallel;

import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;
import org.stage.operator.OperatorRule;
import org.stage.operator.OperatorRules;

/**
 * Refuses what the rules would split and cannot.
 *
 * @param mesh the mesh
 * @param rules which of its axes shard which logical axis
 */
record SplitCheck(DeviceMesh mesh, ShardingRules rules) {
  /**
   * Checks an operator.
   *
   * @param ring whether keys pass by on a ring, and so may be split
   * @throws IllegalArgumentException if the rules split it where they must not
   */
  void check(Operator operator, boolean ring) {
    operator.inputs().forEach(this::check);
    operator.outputs().forEach(this::check);
    OperatorRule rule = OperatorRules.STANDARD.of(operator);
    rule.wholeAxes(operator).forEach(axis -> checkWhole(operator, axis));
    if (operator.axes().contains("kv_seq") && !rule.isContraction() && !ring) {
      checkWhole(operator, "kv_seq");
    }
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
