package org.stage.engine;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Small jobs drawn from a seed, as workload files. */
public final class SeededJobs {
  private static final String EXPERTS =
      "family: llama, experts: 4, experts_per_token: 2, expert_ffn: 16";

  private static final String LATENT = "kv_latent: 12, plain_dim: 6, rotary_dim: 2, value_dim: 4";

  private SeededJobs() {}

  public static Stream<String> some(int count) {
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
    boolean sequenceParallel = tp > 1 && random.nextBoolean();
    boolean experts = family.startsWith(EXPERTS);
    int expertTp = experts && sequenceParallel ? pick(random, 1, 2, tp) : tp;
    boolean ulysses = family.contains("kv_heads") && kvHeads % (tp * cp) == 0;
    int zero = dp * cp * ep > 1 || expertTp < tp ? random.nextInt(4) : 0;
    int microBatch = pick(random, 1, 2);
    boolean flash = random.nextBoolean();
    List<String> contexts =
        Stream.of("all-gather", flash ? "ring" : "", ulysses ? "ulysses" : "")
            .filter(form -> !form.isEmpty())
            .toList();
    String schedule = schedule(random, pp);
    int chunks = schedule.equals("interleaved") ? pick(random, 2, 3) : 1;
    int microBatches =
        switch (schedule) {
          case "interleaved" -> pp * pick(random, 1, 2);
          case "dualpipe" -> 2 * pp + pick(random, 0, 2);
          default -> pick(random, 1, 2, 3, 5);
        };
    String recompute =
        List.of("none", "selective", "full", "[mlp_norm, attention]", "[layers.*.attention.core]")
            .get(random.nextInt(family.contains("palm") ? 3 : 5));
    recompute = recompute.contains("core") && !flash ? "[attention]" : recompute;
    String job =
        ("{model: {%s, layers: %d, hidden: %d, heads: 8, vocab: 100}, "
                + "mesh: {dp: %d, tp: %d, pp: %d, cp: %d, ep: %d}, "
                + "training: {global_batch: %d, micro_batch: %d, seq: %d, sequence_parallel: %s, "
                + "schedule: %s, virtual_stages: %d, attention: %s, optimizer: %s, zero: %d, "
                + "recompute: %s, grad_clip: %s, dropout: %s, zero_group: %s, bucket_mb: %s, "
                + "context_parallel: %s, precision: %s%s, expert_gates: %s, offload: %s%s}, framework: %s}")
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
                sequenceParallel,
                schedule,
                chunks,
                flash ? "flash" : "unfused",
                random.nextBoolean() ? "adam" : "sgd",
                zero,
                recompute,
                random.nextBoolean(),
                random.nextBoolean(),
                dp == 4 && cp * ep == 1 && expertTp == tp && random.nextBoolean() ? "2" : "whole",
                zero < 2 && random.nextBoolean() ? "1" : "none",
                contexts.get(random.nextInt(contexts.size())),
                (kvHeads == 1 || tp <= kvHeads) && random.nextInt(4) == 0 ? "fp8" : "bf16",
                (expertTp < tp ? ", expert_tp: " + expertTp : "") + load(random, ep > 1 && tp < 8),
                random.nextBoolean() ? "combine" : "activation",
                List.of("none", "none", "optimizer", "activations").get(random.nextInt(4)),
                exchange(random),
                framework(random, pp, zero));
    boolean scaled = experts && job.contains("hidden: 512");
    return scaled ? job.replace("precision: fp8", "precision: fp8, expert_dispatch: fp8") : job;
  }

  /** When gradients are reduced and parameters gathered: as the framework does, or not. */
  private static String exchange(Random random) {
    return List.of("", ", overlap_gradients: true", ", overlap_gradients: false")
            .get(random.nextInt(3))
        + List.of("", ", overlap_parameters: true", ", overlap_parameters: false")
            .get(random.nextInt(3))
        + List.of("", ", weight_gradients: inline", ", weight_gradients: overlap")
            .get(random.nextInt(3));
  }

  private static String framework(Random random, int pp, int zero) {
    List<String> all = List.of("megatron", "nemo", "torchtitan", "megatron-bridge", "deepspeed");
    return all.get(random.nextInt(pp > 1 && zero > 1 ? 4 : 5));
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

  private static String load(Random random, boolean skewed) {
    String load = skewed && random.nextBoolean() ? ", expert_load: {layers.*: [3, 1, 2, 1]}" : "";
    return skewed && random.nextBoolean()
        ? load + ", expert_capacity: {factor: 1.1, pad: " + random.nextBoolean() + "}"
        : load;
  }

  private static int pick(Random random, int... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
