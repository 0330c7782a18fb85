package org.stage.engine;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Small jobs drawn from a seed, as workload files. */
final class SeededJobs {
  private static final String EXPERTS =
      "family: llama, experts: 4, experts_per_token: 2, expert_ffn: 16";

  private static final String LATENT = "kv_latent: 12, plain_dim: 6, rotary_dim: 2, value_dim: 4";

  private SeededJobs() {}

  static Stream<String> some(int count) {
    return Stream.iterate(0, seed -> seed + 1).limit(count).map(SeededJobs::yaml);
  }

  private static String yaml(int seed) {
    Random random = new Random(seed);
    int kvHeads = pick(random, 1, 2, 4, 8);
    String family =
        List.of(
                "family: gpt, positions: 64",
                "family: gpt, tied: false",
                "family: llama, ffn: 48, kv_heads: " + kvHeads,
                "family: llama, ffn: 48, tied: true, kv_heads: " + kvHeads,
                "family: palm",
                EXPERTS + ", kv_heads: " + kvHeads,
                EXPERTS + ", shared_experts: 1, dense_layers: 1, ffn: 48, kv_heads: " + kvHeads,
                "family: llama, ffn: 48, qk_norm: true, kv_heads: " + kvHeads,
                "family: llama, ffn: 48, " + LATENT,
                EXPERTS + ", q_latent: 10, " + LATENT)
            .get(random.nextInt(10));
    int dp = pick(random, 1, 2, 4);
    int tp = pick(random, 1, 2, 8);
    int pp = pick(random, 1, 2, 3, 4);
    int cp = pick(random, 1, 1, 2);
    int ep = family.startsWith(EXPERTS) ? pick(random, 1, 2, 4) : 1;
    boolean ulysses = family.contains("kv_heads") && kvHeads % (tp * cp) == 0;
    int zero = dp * cp * ep > 1 ? random.nextInt(4) : 0;
    int microBatch = pick(random, 1, 2);
    String schedule = schedule(random, pp);
    int chunks = schedule.equals("interleaved") ? pick(random, 2, 3) : 1;
    int microBatches =
        switch (schedule) {
          case "interleaved" -> pp * pick(random, 1, 2);
          case "dualpipe" -> 2 * pp + pick(random, 0, 2);
          default -> pick(random, 1, 2, 3, 5);
        };
    return ("{model: {%s, layers: %d, hidden: %d, heads: 8, vocab: 100}, "
            + "mesh: {dp: %d, tp: %d, pp: %d, cp: %d, ep: %d}, "
            + "training: {global_batch: %d, micro_batch: %d, seq: %d, sequence_parallel: %s, "
            + "schedule: %s, virtual_stages: %d, attention: %s, optimizer: %s, zero: %d, "
            + "recompute: %s, dropout: %s, zero_group: %s, bucket_mb: %s, "
            + "context_parallel: %s, expert_gates: %s}}")
        .formatted(
            family,
            Math.max(2, pp * chunks + random.nextInt(3)),
            pick(random, 32, 512),
            dp,
            tp,
            pp,
            cp,
            ep,
            dp * ep * microBatch * microBatches,
            microBatch,
            16 * cp,
            tp > 1 && random.nextBoolean(),
            schedule,
            chunks,
            random.nextBoolean() ? "flash" : "unfused",
            random.nextBoolean() ? "adam" : "sgd",
            zero,
            List.of("none", "selective", "full").get(random.nextInt(3)),
            random.nextBoolean(),
            dp == 4 && cp * ep == 1 && random.nextBoolean() ? "2" : "whole",
            zero < 2 && random.nextBoolean() ? "1" : "none",
            ulysses && random.nextBoolean() ? "ulysses" : "all-gather",
            random.nextBoolean() ? "combine" : "activation");
  }

  private static String schedule(Random random, int pp) {
    List<String> all =
        pp == 1
            ? List.of("gpipe", "1f1b")
            : pp % 2 == 1
                ? List.of("gpipe", "1f1b", "interleaved", "zero-bubble")
                : List.of("gpipe", "1f1b", "interleaved", "zero-bubble", "dualpipe", "dualpipe");
    return all.get(random.nextInt(all.size()));
  }

  private static int pick(Random random, int... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
