package org.stage.engine;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Small jobs drawn from a seed, as workload files. */
final class SeededJobs {
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
                "family: palm")
            .get(random.nextInt(5));
    int dp = pick(random, 1, 2, 4);
    int tp = pick(random, 1, 2, 8);
    int pp = pick(random, 1, 2, 3, 4);
    int zero = dp > 1 ? random.nextInt(4) : 0;
    int microBatch = pick(random, 1, 2);
    return ("{model: {%s, layers: %d, hidden: %d, heads: 8, vocab: 100}, "
            + "mesh: {dp: %d, tp: %d, pp: %d}, "
            + "training: {global_batch: %d, micro_batch: %d, seq: 16, sequence_parallel: %s, "
            + "schedule: %s, attention: %s, optimizer: %s, zero: %d, "
            + "recompute: %s, dropout: %s, zero_group: %s, bucket_mb: %s}}")
        .formatted(
            family,
            pp + random.nextInt(3),
            pick(random, 32, 512),
            dp,
            tp,
            pp,
            dp * microBatch * pick(random, 1, 2, 3, 5),
            microBatch,
            tp > 1 && random.nextBoolean(),
            random.nextBoolean() ? "gpipe" : "1f1b",
            random.nextBoolean() ? "flash" : "unfused",
            random.nextBoolean() ? "adam" : "sgd",
            zero,
            List.of("none", "selective", "full").get(random.nextInt(3)),
            random.nextBoolean(),
            dp == 4 && random.nextBoolean() ? "2" : "whole",
            zero < 2 && random.nextBoolean() ? "1" : "none");
  }

  private static int pick(Random random, int... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
