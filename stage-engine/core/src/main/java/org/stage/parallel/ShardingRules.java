package org.stage.parallel;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.stage.api.graph.Tensor;

/**
 * Which mesh axes shard which logical axis (MaxText's and Flax's logical axis rules).
 *
 * @param rules indices into {@link DeviceMesh#axes()} by logical axis, outermost first
 */
public record ShardingRules(Map<String, List<Integer>> rules) {
  /** Copies the map. */
  public ShardingRules {
    rules = Map.copyOf(rules);
  }

  /**
   * The rules of data, tensor, sequence and context parallelism: {@code batch} over dp; {@code mlp,
   * heads, kv_heads, vocab} over tp; the sequence over cp, and that of norms and residuals over tp
   * too if it is sharded there. In the attention core, keys and values are whole sequences; queries
   * are parts of them, or with {@code ulysses} whole sequences of fewer heads.
   *
   * @param kvHeads key/value heads; over the inner factor of a split tp they are replicated
   * @param sequenceParallel whether norms and residuals are sharded along the sequence
   * @param embeddingScattered whether the embedding's output is too
   * @param ulysses whether context parallelism exchanges sequence for heads around the core
   */
  public static ShardingRules of(
      DeviceMesh mesh,
      int kvHeads,
      boolean sequenceParallel,
      boolean embeddingScattered,
      boolean ulysses) {
    List<Integer> tp = mesh.partsOf("tp");
    List<Integer> cp = mesh.partsOf("cp");
    Map<String, List<Integer>> rules = new HashMap<>();
    List<Integer> dp = mesh.partsOf("dp");
    List<Integer> ep = mesh.partsOf("ep");
    rules.put("batch", both(dp, ep));
    List.of("mlp", "heads", "vocab", "expert_mlp", "shared_mlp").forEach(a -> rules.put(a, tp));
    rules.put("expert", ep);
    rules.put("slot", both(dp, cp));
    rules.put("token_slot", both(both(dp, ep), sequenceParallel ? both(cp, tp) : cp));
    List<Integer> kv = tp.stream().filter(part -> mesh.reaches(part, kvHeads)).toList();
    rules.put("kv_heads", kv);
    rules.put("seq", cp);
    rules.put("norm_seq", sequenceParallel ? both(cp, tp) : cp);
    rules.put("embed_seq", sequenceParallel && embeddingScattered ? both(cp, tp) : cp);
    rules.put("core_seq", ulysses ? List.of() : cp);
    rules.put("core_heads", ulysses ? both(tp, cp) : tp);
    rules.put("core_kv_heads", ulysses ? both(kv, cp) : kv);
    return new ShardingRules(rules);
  }

  /**
   * The same where experts are split over the innermost ranks of tp only: outside these, tokens
   * stay parts of sequences among experts too, and experts are replicated.
   *
   * @param mesh a mesh whose tp is cut there
   * @param expertTp how many of its ranks split an expert
   */
  public ShardingRules withExpertTensorParallelism(DeviceMesh mesh, int expertTp) {
    List<Integer> tp = mesh.partsOf("tp");
    int copies = mesh.mesh().degree("tp") / expertTp;
    List<Integer> outer = tp.stream().filter(part -> mesh.reaches(part, copies)).toList();
    Map<String, List<Integer>> changed = new HashMap<>(rules);
    changed.put("expert_mlp", tp.subList(outer.size(), tp.size()));
    changed.merge("slot", outer, ShardingRules::both);
    return new ShardingRules(changed);
  }

  /**
   * Indices of the axes along which a parameter is replicated and tokens are split: those of model
   * replicas, and for experts those that share out their rows.
   */
  Set<Integer> replicas(DeviceMesh mesh, Tensor parameter) {
    Set<Integer> replicas = new HashSet<>(mesh.replicas());
    if (parameter.axes().contains("expert")) {
      replicas.addAll(rules.getOrDefault("slot", List.of()));
    }
    return replicas;
  }

  private static List<Integer> both(List<Integer> outer, List<Integer> inner) {
    return Stream.concat(outer.stream(), inner.stream()).toList();
  }

  /** Whether {@code meshAxis} shards {@code logicalAxis}. */
  boolean shards(int meshAxis, String logicalAxis) {
    return rules.getOrDefault(logicalAxis, List.of()).contains(meshAxis);
  }
}
