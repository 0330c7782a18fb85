package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.stage.analyze.Analysis;
import org.stage.api.workload.Phase;

/** Single figures that the literature or a closed form gives, worked out apart from the engine. */
class ClosedFormTest {
  private static final String ONE_SEQUENCE_OF_175B =
      "{model: gpt-3-175b, mesh: {tp: 8}, training: {global_batch: 1, seq: 2048, attention: %s}}";

  @Test
  void aStepOfGpt175BCostsNarayanansFlops() {
    // 72 B s L h^2 (1 + s/(6h) + V/(12 L h)) of arXiv 2104.04473, V padded to 51,200.
    Analysis job = Jobs.job(ONE_SEQUENCE_OF_175B.formatted("unfused")).analysis();
    assertThat(job.totalFlops()).isEqualTo(new BigInteger("2204555173429248"));
  }

  @Test
  void flashAttentionComputesItsScoresOnceMore() {
    Analysis job = Jobs.job(ONE_SEQUENCE_OF_175B.formatted("flash")).analysis();
    long scores = 2L * 2048 * 2048 * 12288 * 96;
    assertThat(job.totalFlops()).isEqualTo(BigInteger.valueOf(2204555173429248L + scores));
  }

  @Test
  void causalFlopsAreHalfTheProductsOfAttention() {
    String causal = "training.attention_flops=causal";
    Analysis full = Jobs.job(ONE_SEQUENCE_OF_175B.formatted("flash")).analysis();
    Analysis half = Jobs.job(ONE_SEQUENCE_OF_175B.formatted("flash"), causal).analysis();
    // 2 products forward and 5 backward, 2 s^2 h each.
    long attention = 7L * 2 * 2048 * 2048 * 12288 * 96;
    assertThat(full.totalFlops().subtract(half.totalFlops()))
        .isEqualTo(BigInteger.valueOf(attention / 2));
  }

  @Test
  void aTensorParallelRankOfGptHoldsItsShareAndTheReplicatedParameters() {
    String job = "{model: %s, mesh: {tp: %d}, training: {global_batch: 1, seq: 2048}}";
    assertThat(parameters(job.formatted("gpt-3-5b", 8))).isEqualTo(639_266_816L);
    assertThat(parameters(job.formatted("gpt-3-175b", 32))).isEqualTo(5_488_791_552L);
  }

  private static long parameters(String job) {
    return Jobs.job(job).analysis().classes().get(0).parameters();
  }

  @Test
  void aParallelBlockNeedsThreeGathersAndTwoScattersALayer() {
    Analysis.OfClass rank =
        Jobs.job(
                "{model: palm-540b, mesh: {tp: 8}, training: {global_batch: 1, seq: 2048,"
                    + " sequence_parallel: true}}")
            .analysis()
            .classes()
            .get(0);
    // A layer's share, and the ends: head gather twice, embedding gather; head and embedding
    // scatter.
    assertThat(Jobs.count(rank, "all-gather", "tp")).isEqualTo(3 * 118 + 3);
    assertThat(Jobs.count(rank, "reduce-scatter", "tp")).isEqualTo(2 * 118 + 2);
  }

  @Test
  void keysAndValuesOfMultiQueryAttentionReduceTheirGradientsOverAllOfTp() {
    Analysis.OfClass rank =
        Jobs.job("{model: palm-540b, mesh: {tp: 8}, training: {global_batch: 1, seq: 2048}}")
            .analysis()
            .classes()
            .get(0);
    long heads = 2L * 18432 * 256 * 118;
    long activations = (2L * 118 + 2) * 2048 * 18432;
    long loss = 3L * 2048;
    assertThat(Jobs.elements(rank, "all-reduce", "tp")).isEqualTo(heads + activations + loss);
  }

  @Test
  void replicatedKeyValueHeadsReduceTheirGradientsOverTheirReplicas() {
    Analysis.OfClass rank =
        Jobs.job("{model: llama-3.1-8b, mesh: {tp: 32}, training: {global_batch: 1, seq: 8192}}")
            .analysis()
            .classes()
            .get(0);
    // 8 heads on 32 ranks: 4 replicas of each; key and value, one head of 128 on each rank.
    Analysis.Traffic replicas =
        rank.traffic().stream().filter(t -> t.groupSize() == 4).findFirst().orElseThrow();
    assertThat(replicas.axis()).isEqualTo("tp");
    assertThat(replicas.elements()).isEqualTo(32L * 2 * 4096 * 128);
  }

  @Test
  void theEmbeddingLeavesItsShardsAsItIsTold() {
    String job =
        "{model: llama-3.1-8b, mesh: {tp: 4}, training: {global_batch: 1, seq: 8192,"
            + " sequence_parallel: true, embedding_output: %s}}";
    long activations = 8192L * 4096;
    Analysis.OfClass reduced = Jobs.job(job.formatted("all-reduce")).analysis().classes().get(0);
    Analysis.OfClass scattered =
        Jobs.job(job.formatted("reduce-scatter")).analysis().classes().get(0);
    assertThat(Jobs.elements(scattered, "reduce-scatter", "tp"))
        .isEqualTo(Jobs.elements(reduced, "reduce-scatter", "tp") + activations);
    assertThat(Jobs.elements(reduced, "all-reduce", "tp"))
        .isEqualTo(Jobs.elements(scattered, "all-reduce", "tp") + activations);
    assertThat(Jobs.elements(scattered, "all-gather", "tp"))
        .isEqualTo(Jobs.elements(reduced, "all-gather", "tp"));
  }

  @Test
  void backwardCountsTwiceTheForwardButForTheScores() {
    Analysis.OfClass rank =
        Jobs.job(ONE_SEQUENCE_OF_175B.formatted("unfused")).analysis().classes().get(0);
    assertThat(rank.flops().get(Phase.BACKWARD)).isEqualTo(2 * rank.flops().get(Phase.FORWARD));
  }
}
