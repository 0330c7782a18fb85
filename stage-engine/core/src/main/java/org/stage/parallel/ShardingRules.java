package org.stage.parallel;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.stage.api.graph.Tensor;
import org.stage.job.ContextParallelism;
import org.stage.job.Strategy;
import org.stage.job.TensorParallelism.EmbeddingOutput;

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
   * whole sequences of keys and values are gathered or pass by on a ring, along cp; or all are
   * whole sequences of fewer heads (Ulysses).
   *
   * <p>Rules of the user go before. What has no rule of its own and is a view of an axis that has
   * one follows it: {@code mlp_out} is where {@code mlp} is.
   *
   * @param kvHeads key/value heads; over the inner factor of a split tp they are replicated
   */
  public static ShardingRules of(DeviceMesh mesh, int kvHeads, Strategy strategy) {
    ContextParallelism context = strategy.context();
    boolean sequenceParallel = strategy.tensor().sequenceParallel();
    boolean embeddingScattered =
        strategy.tensor().embeddingOutput() == EmbeddingOutput.REDUCE_SCATTER;
    boolean ulysses = context == ContextParallelism.ULYSSES;
    Rules rules = new Rules(mesh, strategy.rules());
    List<Integer> tp = mesh.partsOf("tp");
    List<Integer> cp = mesh.partsOf("cp");
    List<Integer> ep = mesh.partsOf("ep");
    List<Integer> none = List.of();
    List<Integer> batch = rules.put("batch", join(mesh.partsOf("dp"), ep));
    List<Integer> seq = rules.put("seq", cp);
    List<Integer> norm = rules.put("norm_seq", sequenceParallel ? join(seq, tp) : seq);
    rules.put("embed_seq", sequenceParallel && embeddingScattered ? join(seq, tp) : seq);
    List.of("embed_in", "embed_out", "residual").forEach(axis -> rules.put(axis, none));
    rules.put("mlp_out", rules.put("mlp", tp));
    List.of("vocab", "expert_mlp", "shared_mlp").forEach(axis -> rules.put(axis, tp));
    List<Integer> expert = rules.put("expert", ep);
    rules.put("slot", join(batch, seq).stream().filter(m -> !expert.contains(m)).toList());
    List<Integer> heads = rules.put("heads", tp);
    // Each key/value head is with the query heads that it serves.
    boolean whole = !heads.containsAll(tp);
    List<Integer> kv =
        whole ? none : tp.stream().filter(part -> mesh.reaches(part, kvHeads)).toList();
    rules.put("kv_heads", kv);
    rules.put("heads_out", heads);
    rules.put("kv_heads_out", kv);
    rules.put("core_seq", ulysses ? none : seq);
    rules.put("kv_seq", context == ContextParallelism.RING ? cp : none);
    rules.put("core_heads", ulysses ? join(heads, cp) : heads);
    rules.put("core_kv_heads", ulysses ? join(kv, cp) : kv);
    return new ShardingRules(rules.all)
        .withExpertTensorParallelism(mesh, strategy.experts().tp())
        .withTokenSlots(join(batch, norm));
  }

  /** Rules under construction. */
  private record Rules(
      DeviceMesh mesh, Map<String, List<String>> own, Map<String, List<Integer>> all) {
    Rules(DeviceMesh mesh, Map<String, List<String>> own) {
      this(mesh, own, new HashMap<>());
    }

    /** Puts the user's rule for an axis, or the usual one; returns it. */
    List<Integer> put(String axis, List<Integer> usual) {
      List<String> named = own.get(axis);
      List<Integer> rule =
          named == null
              ? usual
              : named.stream().flatMap(each -> mesh.partsOf(each).stream()).distinct().toList();
      all.put(axis, rule);
      return rule;
    }
  }

  /**
   * The same where experts are split over the innermost ranks of tp only: outside these, tokens
   * stay parts of sequences among experts too, and experts are replicated.
   *
   * @param mesh a mesh whose tp is cut there
   * @param expertTp how many of its ranks split an expert
   */
  private ShardingRules withExpertTensorParallelism(DeviceMesh mesh, int expertTp) {
    List<Integer> tp = mesh.partsOf("tp");
    int copies = mesh.mesh().degree("tp") / expertTp;
    if (copies <= 1) {
      return this;
    }
    List<Integer> outer = tp.stream().filter(part -> mesh.reaches(part, copies)).toList();
    Map<String, List<Integer>> changed = new HashMap<>(rules);
    changed.put("expert_mlp", tp.subList(outer.size(), tp.size()));
    changed.merge("slot", outer, ShardingRules::join);
    return new ShardingRules(changed);
  }

  /**
   * The same with rows of experts that lie where their tokens do. Which comes first of the rows of
   * an expert is free; in this order no axis moves from under another: inside are those that share
   * out experts, over which rows are exchanged, outside those along which they stay.
   *
   * @param tokens what shards the tokens
   */
  private ShardingRules withTokenSlots(List<Integer> tokens) {
    List<Integer> stay = of("slot").stream().filter(tokens::contains).toList();
    List<Integer> rest = tokens.stream().filter(m -> !of("expert").contains(m)).toList();
    Map<String, List<Integer>> changed = new HashMap<>(rules);
    changed.put("token_slot", join(join(stay, rest), tokens));
    return new ShardingRules(changed);
  }

  /**
   * Indices of the axes along which a parameter is replicated and tokens are split: those of model
   * replicas, and for experts those that share out their rows.
   */
  Set<Integer> replicas(DeviceMesh mesh, Tensor parameter) {
    Set<Integer> replicas = new HashSet<>(mesh.replicas());
    if (parameter.axes().contains("expert")) {
      replicas.addAll(of("slot"));
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

  /** Which of some logical axes a mesh axis shards. */
  List<String> sharded(int meshAxis, List<String> logicalAxes) {
    return logicalAxes.stream().filter(axis -> shards(meshAxis, axis)).toList();
  }

  /** Whether {@code meshAxis} shards {@code logicalAxis}. */
  boolean shards(int meshAxis, String logicalAxis) {
    return of(logicalAxis).contains(meshAxis);
  }
}
