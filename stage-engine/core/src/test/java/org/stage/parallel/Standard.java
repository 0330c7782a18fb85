package org.stage.parallel;

import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.stage.api.graph.Axis;
import org.stage.api.graph.AxisRole;
import org.stage.job.Strategy;
import org.stage.module.ModuleLibrary;
import org.stage.operator.OperatorRules;

/** Placing on the axes that all modules share, with the operators of the engine. */
public final class Standard {
  private static final Collection<Axis> AXES = ModuleLibrary.standard().axes(List.of());

  private Standard() {}

  /** The rules of a strategy. */
  public static ShardingRules rules(DeviceMesh mesh, int kvHeads, Strategy strategy) {
    return ShardingRules.of(mesh, kvHeads, strategy, AXES);
  }

  /** Rules by axis; those of roles are the rules of the axes that lead them. */
  public static ShardingRules rules(Map<String, List<Integer>> byAxis) {
    Map<AxisRole, List<Integer>> roles = new EnumMap<>(AxisRole.class);
    for (Axis axis : AXES) {
      roles.putIfAbsent(axis.role(), byAxis.getOrDefault(axis.name(), List.of()));
    }
    return new ShardingRules(byAxis, roles);
  }

  /** Placing without a causal mask. */
  public static Placing placing(DeviceMesh mesh, ShardingRules rules) {
    return new Placing(mesh, rules, OperatorRules.standard(), false);
  }

  /** The layout of a tensor on these axes. */
  public static Layout layout(ShardingRules rules, List<String> axes) {
    return Layout.of(rules, axes);
  }
}
