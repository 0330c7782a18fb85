package org.stage.parallel;

import static org.stage.parallel.ShardingRules.join;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.stage.api.graph.AxisRole;
import org.stage.job.ContextParallelism;
import org.stage.job.Strategy;
import org.stage.job.TensorParallelism.EmbeddingOutput;

/**
 * The rules of data, tensor, sequence, context and expert parallelism, by role: the batch over dp
 * and ep; feed-forward networks, heads and the vocabulary over tp; the sequence over cp, and that
 * of norms and residuals over tp too if it is sharded there; experts over ep. In the attention
 * core, queries are parts of sequences, to which whole sequences of keys and values are gathered or
 * pass by on a ring, along cp; or all are whole sequences of fewer heads (Ulysses).
 *
 * <p>A rule of the user goes before that of the role, and what is derived from the role follows it;
 * but where experts are split over a part of tp, their inner width is split there.
 */
final class RoleRules {
  private final DeviceMesh mesh;
  private final Map<AxisRole, String> leaders;
  private final Map<String, List<Integer>> own;
  private final Map<AxisRole, List<Integer>> rules = new EnumMap<>(AxisRole.class);

  private RoleRules(
      DeviceMesh mesh, Map<AxisRole, String> leaders, Map<String, List<Integer>> own) {
    this.mesh = mesh;
    this.leaders = leaders;
    this.own = own;
  }

  /**
   * The rules of a strategy.
   *
   * @param leaders by role, the axis whose rule is the role's
   * @param own the user's rules, by axis
   */
  static Map<AxisRole, List<Integer>> of(
      DeviceMesh mesh,
      int kvHeads,
      Strategy strategy,
      Map<AxisRole, String> leaders,
      Map<String, List<Integer>> own) {
    RoleRules rules = new RoleRules(mesh, leaders, own);
    List<Integer> tp = mesh.partsOf("tp");
    rules.tokens(strategy);
    List.of(AxisRole.FEED_FORWARD, AxisRole.VOCABULARY, AxisRole.SHARED_FEED_FORWARD)
        .forEach(role -> rules.put(role, tp));
    rules.put(AxisRole.RESIDUAL, List.of());
    rules.heads(strategy.context(), kvHeads);
    rules.experts(strategy.experts().tp());
    return rules.rules;
  }

  /** Puts the user's rule for the axis that leads a role, or the usual one; returns it. */
  private List<Integer> put(AxisRole role, List<Integer> usual) {
    List<Integer> rule = own.getOrDefault(leaders.getOrDefault(role, ""), usual);
    rules.put(role, rule);
    return rule;
  }

  private List<Integer> of(AxisRole role) {
    return rules.getOrDefault(role, List.of());
  }

  private void tokens(Strategy strategy) {
    boolean sequenceParallel = strategy.tensor().sequenceParallel();
    boolean scattered = strategy.tensor().embeddingOutput() == EmbeddingOutput.REDUCE_SCATTER;
    List<Integer> tp = mesh.partsOf("tp");
    put(AxisRole.BATCH, join(mesh.partsOf("dp"), mesh.partsOf("ep")));
    List<Integer> seq = put(AxisRole.SEQUENCE, mesh.partsOf("cp"));
    put(AxisRole.NORM_SEQUENCE, sequenceParallel ? join(seq, tp) : seq);
    List<Integer> latents = of(AxisRole.NORM_SEQUENCE);
    put(AxisRole.LATENT_SEQUENCE, strategy.tensor().wholeLatents() ? seq : latents);
    put(AxisRole.ROUTED_SEQUENCE, strategy.experts().wholeTokens() ? seq : latents);
    put(AxisRole.EMBEDDING_SEQUENCE, sequenceParallel && scattered ? join(seq, tp) : seq);
  }

  /** Each key/value head is with the query heads that it serves. */
  private void heads(ContextParallelism context, int kvHeads) {
    boolean ulysses = context == ContextParallelism.ULYSSES;
    List<Integer> tp = mesh.partsOf("tp");
    List<Integer> cp = mesh.partsOf("cp");
    List<Integer> none = List.of();
    List<Integer> heads =
        put(
            AxisRole.HEADS,
            tp.stream().filter(part -> mesh.reaches(part, mesh.headParts())).toList());
    List<Integer> kv =
        tp.stream().filter(part -> heads.contains(part) && mesh.reaches(part, kvHeads)).toList();
    put(AxisRole.KV_HEADS, kv);
    put(AxisRole.KEY_SEQUENCE, context == ContextParallelism.RING ? cp : none);
    put(AxisRole.CORE_HEADS, ulysses ? join(heads, cp) : heads);
    put(AxisRole.CORE_KV_HEADS, ulysses ? join(kv, cp) : kv);
    queries(ulysses ? none : of(AxisRole.SEQUENCE));
  }

  /** A rule of the user can give queries what heads leave. */
  private void queries(List<Integer> usual) {
    List<Integer> taken = of(AxisRole.CORE_HEADS);
    List<Integer> queries = put(AxisRole.QUERY_SEQUENCE, usual);
    if (own.containsKey(leaders.getOrDefault(AxisRole.QUERY_SEQUENCE, ""))) {
      rules.put(
          AxisRole.QUERY_SEQUENCE, queries.stream().filter(part -> !taken.contains(part)).toList());
    }
  }

  /**
   * Where experts are split over the innermost ranks of tp only, tokens stay parts of sequences
   * among experts too outside these, and experts are replicated.
   *
   * @param expertTp how many ranks of tp, which is cut there, split an expert
   */
  private void experts(int expertTp) {
    List<Integer> tp = mesh.partsOf("tp");
    List<Integer> expert = put(AxisRole.EXPERT, mesh.partsOf("ep"));
    put(AxisRole.EXPERT_FEED_FORWARD, tp);
    List<Integer> tokens = join(of(AxisRole.BATCH), of(AxisRole.SEQUENCE));
    put(AxisRole.SLOT, tokens.stream().filter(m -> !expert.contains(m)).toList());
    int copies = mesh.mesh().degree("tp") / expertTp;
    if (copies > 1) {
      List<Integer> outer = tp.stream().filter(part -> mesh.reaches(part, copies)).toList();
      rules.put(AxisRole.EXPERT_FEED_FORWARD, tp.subList(outer.size(), tp.size()));
      rules.merge(AxisRole.SLOT, outer, ShardingRules::join);
    }
    tokenSlots(join(of(AxisRole.BATCH), of(AxisRole.ROUTED_SEQUENCE)));
  }

  /**
   * Rows of experts that lie where their tokens do. Which comes first of the rows of an expert is
   * free; in this order no axis moves from under another: inside are those that share out experts,
   * over which rows are exchanged, outside those along which they stay.
   *
   * @param tokens what shards the tokens
   */
  private void tokenSlots(List<Integer> tokens) {
    List<Integer> stay = of(AxisRole.SLOT).stream().filter(tokens::contains).toList();
    List<Integer> rest = tokens.stream().filter(m -> !of(AxisRole.EXPERT).contains(m)).toList();
    rules.put(AxisRole.TOKEN_SLOT, join(join(stay, rest), tokens));
  }
}
