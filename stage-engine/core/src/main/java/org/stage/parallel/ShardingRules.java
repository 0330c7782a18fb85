package org.stage.parallel;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
   * The rules of data, tensor and sequence parallelism: {@code batch} over dp; {@code mlp, heads,
   * kv_heads, vocab} over tp; {@code norm_seq} over tp if the sequence is sharded there.
   *
   * @param kvHeads key/value heads; over the inner factor of a split tp they are replicated
   * @param sequenceParallel whether norms and residuals are sharded along the sequence
   * @param embeddingScattered whether the embedding's output is too
   */
  public static ShardingRules of(
      DeviceMesh mesh, int kvHeads, boolean sequenceParallel, boolean embeddingScattered) {
    List<Integer> tp = mesh.partsOf("tp");
    Map<String, List<Integer>> rules = new HashMap<>();
    rules.put("batch", mesh.partsOf("dp"));
    List.of("mlp", "heads", "vocab").forEach(axis -> rules.put(axis, tp));
    int shards = tp.isEmpty() ? 1 : mesh.axes().get(tp.get(0)).part().size();
    rules.put("kv_heads", tp.isEmpty() || kvHeads % shards != 0 ? List.of() : tp.subList(0, 1));
    rules.put("norm_seq", sequenceParallel ? tp : List.of());
    rules.put("embed_seq", sequenceParallel && embeddingScattered ? tp : List.of());
    return new ShardingRules(rules);
  }

  /** Whether {@code meshAxis} shards {@code logicalAxis}. */
  boolean shards(int meshAxis, String logicalAxis) {
    return rules.getOrDefault(logicalAxis, List.of()).contains(meshAxis);
  }
}
