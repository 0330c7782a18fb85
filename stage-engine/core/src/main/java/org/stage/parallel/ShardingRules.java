package org.stage.parallel;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.stage.spec.Training.ContextParallel;

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
   * too if it is sharded there. In the attention core, queries are parts of sequences, to which
   * whole sequences of keys and values are gathered or pass by on a ring; or all are whole
   * sequences of fewer heads (Ulysses).
   *
   * @param kvHeads key/value heads; over the inner factor of a split tp they are replicated
   * @param sequenceParallel whether norms and residuals are sharded along the sequence
   * @param embeddingScattered whether the embedding's output is too
   * @param context how context parallelism brings whole sequences to the core
   */
  public static ShardingRules of(
      DeviceMesh mesh,
      int kvHeads,
      boolean sequenceParallel,
      boolean embeddingScattered,
      ContextParallel context) {
    boolean ulysses = context == ContextParallel.ULYSSES;
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
    int shards = tp.isEmpty() ? 1 : mesh.axes().get(tp.get(0)).part().size();
    List<Integer> kv = tp.isEmpty() || kvHeads % shards != 0 ? List.of() : tp.subList(0, 1);
    rules.put("kv_heads", kv);
    rules.put("seq", cp);
    rules.put("norm_seq", sequenceParallel ? both(cp, tp) : cp);
    rules.put("embed_seq", sequenceParallel && embeddingScattered ? both(cp, tp) : cp);
    rules.put("core_seq", ulysses ? List.of() : cp);
    rules.put("kv_seq", context == ContextParallel.RING ? cp : List.of());
    rules.put("core_heads", ulysses ? both(tp, cp) : tp);
    rules.put("core_kv_heads", ulysses ? both(kv, cp) : kv);
    return new ShardingRules(rules);
  }

  private static List<Integer> both(List<Integer> outer, List<Integer> inner) {
    return Stream.concat(outer.stream(), inner.stream()).toList();
  }

  /** Whether {@code meshAxis} shards {@code logicalAxis}. */
  boolean shards(int meshAxis, String logicalAxis) {
    return rules.getOrDefault(logicalAxis, List.of()).contains(meshAxis);
  }
}
