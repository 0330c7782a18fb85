package org.stage.parallel;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.stage.api.graph.Axis;
import org.stage.api.graph.AxisRole;
import org.stage.job.Strategy;

/**
 * Which mesh axes shard which logical axis (MaxText's and Flax's logical axis rules).
 *
 * @param rules indices into {@link DeviceMesh#axes()} by logical axis, outermost first
 * @param roles the same by what an axis is to the engine, for who knows no name
 */
public record ShardingRules(Map<String, List<Integer>> rules, Map<AxisRole, List<Integer>> roles) {
  /** Copies the maps. */
  public ShardingRules {
    rules = Map.copyOf(rules);
    roles = Map.copyOf(roles);
  }

  /**
   * The rules of a strategy: an axis lies where its role says, unless a rule of the user names it.
   * What others derive from a role, they derive from its first axis.
   *
   * @param kvHeads key/value heads; over the inner factor of a split tp they are replicated
   * @param axes the logical axes; of one role the first leads
   */
  public static ShardingRules of(
      DeviceMesh mesh, int kvHeads, Strategy strategy, Collection<Axis> axes) {
    Map<AxisRole, String> leaders = new HashMap<>();
    axes.forEach(axis -> leaders.putIfAbsent(axis.role(), axis.name()));
    Map<String, List<Integer>> own = new HashMap<>();
    strategy.rules().forEach((axis, rule) -> own.put(axis, indices(mesh, rule)));
    Map<AxisRole, List<Integer>> roles = RoleRules.of(mesh, kvHeads, strategy, leaders, own);
    Map<String, List<Integer>> rules = new HashMap<>();
    for (Axis axis : axes) {
      List<Integer> usual = roles.getOrDefault(axis.role(), List.of());
      boolean leads = axis.name().equals(leaders.get(axis.role()));
      boolean ruled = leads && axis.role() != AxisRole.NONE;
      rules.put(axis.name(), ruled ? usual : own.getOrDefault(axis.name(), usual));
    }
    return new ShardingRules(rules, roles);
  }

  private static List<Integer> indices(DeviceMesh mesh, List<String> rule) {
    return rule.stream().flatMap(each -> mesh.partsOf(each).stream()).distinct().toList();
  }

  /**
   * Indices of the axes along which a parameter is replicated and tokens are split: those of model
   * replicas, and for experts those that share out their rows.
   *
   * @param ofExperts whether the parameter is one of experts
   */
  Set<Integer> replicas(DeviceMesh mesh, boolean ofExperts) {
    Set<Integer> replicas = new HashSet<>(mesh.replicas());
    if (ofExperts) {
      replicas.addAll(of(AxisRole.SLOT));
    }
    return replicas;
  }

  /** Both, what stands in both once. */
  static List<Integer> join(List<Integer> outer, List<Integer> inner) {
    return Stream.concat(outer.stream(), inner.stream()).distinct().toList();
  }

  /** The mesh axes that shard {@code logicalAxis}, outermost first. */
  List<Integer> of(String logicalAxis) {
    return rules.getOrDefault(logicalAxis, List.of());
  }

  /** The mesh axes that shard axes of a role, outermost first. */
  List<Integer> of(AxisRole role) {
    return roles.getOrDefault(role, List.of());
  }

  /** Which of some logical axes a mesh axis shards. */
  List<String> sharded(int meshAxis, List<String> logicalAxes) {
    return logicalAxes.stream().filter(axis -> shards(meshAxis, axis)).toList();
  }

  /** Whether {@code meshAxis} shards {@code logicalAxis}. */
  boolean shards(int meshAxis, String logicalAxis) {
    return of(logicalAxis).contains(meshAxis);
  }
}
