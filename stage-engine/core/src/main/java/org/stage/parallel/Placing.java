package org.stage.parallel;

import org.stage.operator.OperatorRules;

/**
 * How modules are placed.
 *
 * @param mesh the device mesh
 * @param rules which of its axes shard which logical axis
 * @param operators what is known of operators
 * @param causal whether attention counts half its products
 */
public record Placing(
    DeviceMesh mesh, ShardingRules rules, OperatorRules operators, boolean causal) {}
