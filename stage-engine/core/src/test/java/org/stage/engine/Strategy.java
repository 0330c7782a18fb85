package org.stage.engine;

import java.util.List;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * A model and a strategy drawn from a seed: numbers for closed forms, and the workload file.
 *
 * @param family {@code gpt}, {@code llama}, {@code palm} or {@code experts}
 * @param layers decoder layers
 * @param hidden width of the residual stream
 * @param heads query heads, each of width {@code hidden / heads}
 * @param kvHeads key/value heads
 * @param ffn inner width of a dense network
 * @param tied whether the head shares the embedding's table
 * @param experts routed experts, 0 without
 * @param topK experts that a token meets
 * @param expertFfn inner width of an expert
 * @param shared shared experts
 * @param denseLayers first layers without experts
 * @param dp data parallelism
 * @param tp tensor parallelism
 * @param pp pipeline stages
 * @param cp context parallelism
 * @param ep expert parallelism
 * @param sp whether the sequence is sharded over tp
 * @param zero stage of ZeRO
 * @param schedule the pipeline schedule
 * @param chunks virtual stages
 * @param recompute what runs again
 * @param context how cp exchanges keys and values
 * @param flash whether attention is fused
 * @param seq tokens of a sequence
 * @param microBatch sequences of a micro-batch
 * @param microBatches micro-batches
 */
record Strategy(
    String family,
    int layers,
    int hidden,
    int heads,
    int kvHeads,
    int ffn,
    boolean tied,
    int experts,
    int topK,
    int expertFfn,
    int shared,
    int denseLayers,
    int dp,
    int tp,
    int pp,
    int cp,
    int ep,
    boolean sp,
    int zero,
    String schedule,
    int chunks,
    String recompute,
    String context,
    boolean flash,
    int seq,
    int microBatch,
    int microBatches) {
  static final int VOCAB = 1000;

  /** Draws one; the same for the same seed. */
  static Strategy draw(int seed) {
    Random random = new Random(seed);
    String family = pick(random, "gpt", "llama", "palm", "experts", "experts");
    boolean mixture = family.equals("experts");
    int heads = pick(random, 4, 8);
    int kvHeads =
        switch (family) {
          case "gpt" -> heads;
          case "palm" -> 1;
          default -> pick(random, divisors(heads));
        };
    int tp = pick(random, divisors(heads));
    int cp = pick(random, 1, 1, 2, 4);
    int pp = pick(random, 1, 1, 2, 4);
    int ep = mixture ? pick(random, 1, 2, 4) : 1;
    int dp = pick(random, 1, 2, 3, 4);
    boolean flash = random.nextInt(3) > 0;
    List<String> schedules =
        pp == 1
            ? List.of("gpipe", "1f1b")
            : List.of("gpipe", "1f1b", "interleaved", "zero-bubble", "dualpipe");
    String schedule = schedules.get(random.nextInt(schedules.size()));
    int chunks = schedule.equals("interleaved") ? pick(random, 2, 3) : 1;
    int rounds = pick(random, 1, 2, 3);
    boolean exchanges = kvHeads % (tp * cp) == 0;
    String context =
        pick(
            random,
            "all-gather",
            flash ? "ring" : "all-gather",
            exchanges ? "ulysses" : "all-gather");
    int layers = pp * chunks + random.nextInt(4);
    return new Strategy(
        family,
        layers,
        heads * pick(random, 8, 16),
        heads,
        kvHeads,
        8 * pick(random, 5, 8, 11),
        family.equals("palm") || (!mixture && random.nextBoolean()),
        mixture ? 8 : 0,
        pick(random, 1, 2),
        16,
        mixture ? random.nextInt(2) : 0,
        mixture && layers > 1 ? random.nextInt(2) : 0,
        dp,
        tp,
        pp,
        cp,
        ep,
        tp > 1 && random.nextBoolean(),
        dp * cp * ep > 1 ? random.nextInt(4) : 0,
        schedule,
        chunks,
        pick(random, "none", "none", "selective", "full"),
        context,
        flash,
        16 * cp,
        pick(random, 1, 2),
        switch (schedule) {
          case "interleaved" -> pp * rounds;
          case "dualpipe" -> 2 * pp + 2 * (rounds - 1);
          default -> rounds * pick(random, 1, pp);
        });
  }

  private static int[] divisors(int of) {
    IntPredicate divides = divisor -> of % divisor == 0;
    return IntStream.rangeClosed(1, of).filter(divides).toArray();
  }

  private static int pick(Random random, int... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private static String pick(Random random, String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  boolean isGpt() {
    return family.equals("gpt");
  }

  /** Whether each rank holds two parts of the model, and each part is held twice. */
  boolean hasCopies() {
    return schedule.equals("dualpipe");
  }

  boolean isParallelBlock() {
    return family.equals("palm");
  }

  /** Layers of each virtual stage, in the model's order. */
  List<Integer> layersOfVirtualStages() {
    int parts = pp * chunks;
    return IntStream.range(0, parts)
        .mapToObj(i -> layers / parts + (i < layers % parts ? 1 : 0))
        .toList();
  }

  String yaml() {
    return "{model: {%s, layers: %d, hidden: %d, heads: %d, kv_heads: %d, ffn: %d, vocab: %d, tied: %s}, "
            .formatted(kind(), layers, hidden, heads, kvHeads, ffn, VOCAB, tied)
        + "mesh: {dp: %d, tp: %d, pp: %d, cp: %d, ep: %d}, ".formatted(dp, tp, pp, cp, ep)
        + "training: {global_batch: %d, micro_batch: %d, seq: %d, sequence_parallel: %s, zero: %d, "
            .formatted(dp * ep * microBatch * microBatches, microBatch, seq, sp, zero)
        + "schedule: %s, %srecompute: %s, context_parallel: %s, attention: %s}}"
            .formatted(
                schedule,
                chunks > 1 ? "virtual_stages: " + chunks + ", " : "",
                recompute,
                context,
                flash ? "flash" : "unfused");
  }

  private String kind() {
    return switch (family) {
      case "gpt" -> "family: gpt, positions: 64";
      case "palm" -> "family: palm";
      case "llama" -> "family: llama";
      default ->
          "family: llama, experts: %d, experts_per_token: %d, expert_ffn: %d, shared_experts: %d, dense_layers: %d"
              .formatted(experts, topK, expertFfn, shared, denseLayers);
    };
  }
}
