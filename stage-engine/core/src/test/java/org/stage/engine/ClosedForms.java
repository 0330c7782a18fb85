package org.stage.engine;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What a strategy sends, computes and holds, from closed forms alone: Megatron-LM's counts of
 * tensor and sequence parallelism (Korthikanti et al., arXiv 2205.05198), ZeRO's (arXiv
 * 1910.02054), those of pipelines (arXiv 2104.04473), of rings (arXiv 2310.01889), of Ulysses
 * (arXiv 2309.14509) and of expert parallelism.
 */
final class ClosedForms {
  private final Strategy s;
  private final Map<String, Long> sent = new TreeMap<>();

  /** Elements of a micro-batch's residual stream on a context-parallel rank. */
  private final long stream;

  private final long table;

  /** Micro-batches that pass a part of the model on one rank. */
  private final long passes;

  private ClosedForms(Strategy strategy) {
    this.s = strategy;
    this.stream = (long) s.microBatch() * s.seq() / s.cp() * s.hidden();
    this.passes = s.microBatches() / (s.hasCopies() ? 2 : 1);
    long multiple = 128L * s.tp();
    this.table = (Strategy.VOCAB + multiple - 1) / multiple * 128 * s.hidden();
  }

  /**
   * Elements that a rank of a pipeline stage hands to collectives and sends in a step, by kind,
   * axes and data type.
   */
  static Map<String, Long> traffic(Strategy strategy, int stage) {
    ClosedForms forms = new ClosedForms(strategy);
    List<Integer> layers = strategy.layersOfVirtualStages();
    int chunks = strategy.hasCopies() ? 2 : strategy.chunks();
    for (int chunk = 0; chunk < chunks; chunk++) {
      boolean mirrored = strategy.hasCopies() && chunk == 1;
      int virtual = mirrored ? strategy.pp() - 1 - stage : chunk * strategy.pp() + stage;
      int before = layers.subList(0, virtual).stream().mapToInt(Integer::intValue).sum();
      forms.addStage(virtual, before, before + layers.get(virtual));
    }
    forms.sent.values().removeIf(elements -> elements == 0);
    return forms.sent;
  }

  private void addStage(int virtual, int from, int to) {
    boolean first = virtual == 0;
    boolean last = virtual == s.pp() * s.chunks() - 1;
    for (int layer = from; layer < to; layer++) {
      boolean mixture = s.experts() > 0 && layer >= s.denseLayers();
      tensorParallelLayer(mixture);
      contextParallelLayer();
      states(layerParameters(mixture), mixture ? expertParameters() : 0, inLayer(mixture), true);
    }
    if (first) {
      tensorParallelEmbedding();
      states(table + (s.isGpt() ? 64L * s.hidden() : 0), 0, List.of(), false);
    }
    if (last) {
      tensorParallelHead();
      long norm = (s.isGpt() ? 2L : 1L) * s.hidden();
      boolean borrows = s.tied() && (s.pp() == 1 || s.hasCopies());
      List<Long> norms =
          s.isGpt() ? List.of((long) s.hidden(), (long) s.hidden()) : List.of((long) s.hidden());
      states((borrows ? 0 : table) + norm, 0, s.sp() ? norms : List.of(), false);
    }
    int boundaries = (first ? 0 : 1) + (last ? 0 : 1);
    add("send pp bf16", boundaries * passes * stream / split());
    add("recv pp bf16", boundaries * passes * stream / split());
    if (s.tied() && s.pp() > 1 && !s.hasCopies() && (first || last)) {
      boolean shards = s.zero() >= 2 && replicas() > 1;
      add("all-reduce pp fp32", shards ? ceil(table, replicas()) : table);
    }
  }

  /** Parts into which sequence parallelism cuts the residual stream. */
  private long split() {
    return s.sp() ? s.tp() : 1;
  }

  private void tensorParallelLayer(boolean mixture) {
    long m = passes;
    long again = s.recompute().equals("full") ? 1 : 0;
    long blocks = s.isParallelBlock() ? 1 : mixture ? 1 + s.shared() : 2;
    long rows = mixture ? s.topK() * stream / split() : 0;
    if (s.sp()) {
      add("all-gather tp bf16", m * ((3 + again) * blocks * stream / s.tp() + (2 + again) * rows));
      add("reduce-scatter tp bf16", m * (2 + again) * (blocks * stream + rows * s.tp()));
    } else if (s.tp() > 1) {
      // What experts make of tokens is summed with the shared ones; and the gradient of the gates.
      long halves = mixture ? 2 : blocks;
      long gates = mixture ? stream / s.hidden() * s.experts() : 0;
      add("all-reduce tp bf16", m * ((2 + again) * halves * stream + gates));
    }
    if (mixture && s.ep() > 1) {
      add("all-to-all ep bf16", m * (4 + 2 * again) * rows);
    }
  }

  private void tensorParallelEmbedding() {
    long m = passes;
    if (s.tp() > 1) {
      add((s.sp() && !s.isGpt() ? "reduce-scatter" : "all-reduce") + " tp bf16", m * stream);
    }
    add("all-gather tp bf16", s.sp() ? m * stream / s.tp() : 0);
  }

  private void tensorParallelHead() {
    long m = passes;
    if (s.tp() > 1) {
      add("all-gather tp bf16", s.sp() ? 2 * m * stream / s.tp() : 0);
      add((s.sp() ? "reduce-scatter" : "all-reduce") + " tp bf16", m * stream);
      add("all-reduce tp fp32", 3 * m * stream / s.hidden());
    }
  }

  private void contextParallelLayer() {
    if (s.cp() == 1) {
      return;
    }
    long m = passes;
    long again = s.recompute().equals("full") ? 1 : 0;
    long keys = 2 * stream / s.heads() * s.kvHeads() / kvShards();
    switch (s.context()) {
      case "all-gather" -> {
        add("all-gather cp bf16", m * (2 + again) * keys);
        add("reduce-scatter cp bf16", m * s.cp() * keys);
      }
      case "ring" -> {
        long core = s.recompute().equals("none") ? 0 : 1;
        add("send cp bf16", m * (3 + core) * (s.cp() - 1) * keys);
        add("recv cp bf16", m * (3 + core) * (s.cp() - 1) * keys);
      }
      default -> add("all-to-all cp bf16", m * (2 + again) * (2 * stream / s.tp() + keys));
    }
  }

  /** Parts into which tensor parallelism cuts the key/value heads. */
  private long kvShards() {
    return Math.min(s.tp(), s.kvHeads());
  }

  private long keyParameters() {
    return 2L * s.hidden() * s.hidden() / s.heads() * s.kvHeads() / kvShards();
  }

  private long layerParameters(boolean mixture) {
    long h = s.hidden();
    long attention = 2 * h * h / s.tp() + keyParameters();
    if (s.isGpt()) {
      return attention + 2 * h * s.ffn() / s.tp() + (3 * h + s.ffn()) / s.tp() + 6 * h;
    }
    long network = mixture ? s.shared() * 3 * h * s.expertFfn() : 3 * h * s.ffn();
    return attention
        + network / s.tp()
        + (mixture ? h * s.experts() : 0)
        + (s.isParallelBlock() ? h : 2 * h);
  }

  private long expertParameters() {
    return s.experts() / s.ep() * 3L * s.hidden() * s.expertFfn() / s.tp();
  }

  /** Parameters whose gradients are summed over tp, one by one. */
  private List<Long> inLayer(boolean mixture) {
    long h = s.hidden();
    Stream<Long> norms = Stream.of();
    if (s.sp()) {
      norms =
          s.isGpt()
              ? Stream.of(h, h, h, h, h, h)
              : s.isParallelBlock() ? Stream.of(h) : Stream.of(h, h);
      norms = mixture ? Stream.concat(norms, Stream.of(h * s.experts())) : norms;
    }
    boolean replicated = s.tp() > s.kvHeads();
    Stream<Long> keys =
        replicated ? Stream.of(keyParameters() / 2, keyParameters() / 2) : Stream.of();
    return Stream.concat(norms, keys).toList();
  }

  private long replicas() {
    return (long) s.dp() * s.cp() * s.ep();
  }

  private static long ceil(long of, long parts) {
    return (of + parts - 1) / parts;
  }

  /**
   * The collectives on a module's gradients and parameters.
   *
   * @param dense elements of its parameters that all replicas hold
   * @param expert elements of its experts
   * @param summed those of its parameters whose gradients are summed over tp
   * @param layer whether ZeRO-3 gathers it again in backward
   */
  private void states(long dense, long expert, List<Long> summed, boolean layer) {
    long copies = (long) s.dp() * s.cp();
    String some = axes(s.dp() > 1, s.cp() > 1, false);
    String all = axes(s.dp() > 1, s.cp() > 1, s.ep() > 1);
    if (s.ep() == 1) {
      sharded(dense + expert, replicas(), all, layer);
    } else {
      sharded(dense, replicas(), all, layer);
      sharded(expert, copies, some, layer);
    }
    boolean shards = s.zero() >= 2 && replicas() > 1;
    long elements = summed.stream().mapToLong(n -> shards ? ceil(n, replicas()) : n).sum();
    add("all-reduce tp fp32", s.tp() > 1 ? elements : 0);
  }

  private void sharded(long elements, long ranks, String axes, boolean layer) {
    boolean shards = s.zero() > 0 && ranks > 1;
    add("all-reduce pp fp32", !s.hasCopies() ? 0 : shards ? ceil(elements, ranks) : elements);
    if (ranks == 1 || elements == 0) {
      return;
    }
    if (s.zero() == 0) {
      add("all-reduce " + axes + " fp32", elements);
      return;
    }
    long shard = ceil(elements, ranks);
    long times = s.zero() == 1 ? 1 : passes;
    add("reduce-scatter " + axes + " fp32", times * shard * ranks);
    long gathers = s.zero() == 3 ? (layer ? 2L : 1L) * passes : 1;
    add("all-gather " + axes + " bf16", gathers * shard);
  }

  private static String axes(boolean dp, boolean cp, boolean ep) {
    return Stream.of(dp ? "dp" : "", cp ? "cp" : "", ep ? "ep" : "")
        .filter(axis -> !axis.isEmpty())
        .reduce((a, b) -> a + "+" + b)
        .orElse("");
  }

  private void add(String what, long elements) {
    sent.merge(what, elements, Long::sum);
  }

  /** FLOPs of matrix and attention products of the whole job. */
  static BigInteger flops(Strategy s) {
    long h = s.hidden();
    long tokens = (long) s.dp() * s.ep() * s.microBatch() * s.microBatches() * s.seq();
    long forward = 0;
    long attention = 2 * tokens * s.seq() * h;
    long cores = 0;
    for (int layer = 0; layer < s.layers(); layer++) {
      boolean mixture = s.experts() > 0 && layer >= s.denseLayers();
      long network = (s.isGpt() ? 2 : 3) * h * s.ffn();
      // Without sequence parallelism every tensor-parallel rank routes all tokens.
      long routers = s.sp() ? 1 : s.tp();
      long mixed = (s.topK() + s.shared()) * 3 * h * s.expertFfn() + routers * h * s.experts();
      // Key/value heads of which there are too few are computed on several ranks.
      long keys = 2 * h * (h / s.heads()) * Math.max(s.kvHeads(), s.tp());
      forward += 2 * tokens * (2 * h * h + keys + (mixture ? mixed : network));
      cores += attention;
    }
    long multiple = 128L * s.tp();
    long vocab = (Strategy.VOCAB + multiple - 1) / multiple * multiple;
    long again =
        switch (s.recompute()) {
          case "full" -> forward + 2 * cores;
          case "selective" -> 2 * cores;
          default -> 0;
        };
    long all = 3 * (forward + 2 * tokens * h * vocab) + (s.flash() ? 7 : 6) * cores + again;
    return BigInteger.valueOf(all);
  }

  /** Parameters of the whole model, the vocabulary unpadded. */
  static long parameters(Strategy s) {
    long h = s.hidden();
    long keys = 2 * h * (h / s.heads()) * s.kvHeads();
    long total = (s.tied() ? 1L : 2L) * Strategy.VOCAB * h + (s.isGpt() ? 64 * h + 2 * h : h);
    for (int layer = 0; layer < s.layers(); layer++) {
      boolean mixture = s.experts() > 0 && layer >= s.denseLayers();
      total += 2 * h * h + keys;
      if (s.isGpt()) {
        total += 2 * h * s.ffn() + 9 * h + s.ffn();
      } else if (mixture) {
        total += (s.experts() + s.shared()) * 3 * h * s.expertFfn() + h * s.experts() + 2 * h;
      } else {
        total += 3 * h * s.ffn() + (s.isParallelBlock() ? h : 2 * h);
      }
    }
    return total;
  }
}
