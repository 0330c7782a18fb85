package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.analyze.Analysis;
import org.stage.api.workload.Phase;

/** Multi-head latent attention, its counts worked out by hand from DeepSeek's configurations. */
class LatentAttentionTest {
  private static final long SEQ = 4096;
  private static final long HIDDEN = 7168;
  private static final long QUERIES = 1536;
  private static final long KEYS_AND_VALUES = 512;
  private static final long ROTARY = 64;

  /** The weights in matrix products of a token, and the two products of its attention. */
  @Test
  void aTokenOfDeepSeekV3CostsThePublishedFlops() {
    Analysis job =
        Jobs.job("{model: deepseek-v3, training: {global_batch: 1, seq: 4096}}").analysis();
    long scores = 81_920L * 61 * SEQ;
    assertThat(job.classes().get(0).flops().get(Phase.FORWARD))
        .isEqualTo(SEQ * (73_249_193_984L + scores));
  }

  @Test
  void flashAttentionMakesThreeProductsOfTheKeysWidthAndTwoOfTheValuesBackward() {
    Analysis.OfClass rank =
        Jobs.job("{model: deepseek-v3, training: {global_batch: 1, seq: 4096}}")
            .analysis()
            .classes()
            .get(0);
    long weights = SEQ * 73_249_193_984L;
    long scores = 2L * 128 * (3 * 192 + 2 * 128) * 61 * SEQ * SEQ;
    assertThat(rank.flops().get(Phase.BACKWARD)).isEqualTo(2 * weights + scores);
  }

  @ParameterizedTest
  @CsvSource({
    "deepseek-v3, 37552297472",
    "deepseek-r1, 37552297472",
    "deepseek-v2, 21375800320",
    "kimi-k2, 32861500928",
    "qwen3-235b-a22b, 22190763520",
    "mixtral-8x7b, 12879925248"
  })
  void aTokenMeetsTheParametersOfItsExperts(String model, long active) {
    String job = "{model: %s, training: {global_batch: 1, seq: 480}}";
    assertThat(Jobs.job(job.formatted(model)).analysis().activeParameters()).isEqualTo(active);
  }

  /** 4096 x 6 rows over 160 experts are 153.6 each: their shapes are rounded, their work is not. */
  @Test
  void rowsNeedNotBeWholeForEachExpert() {
    String job = "{model: {preset: deepseek-v2, layers: 2}, training: {global_batch: 1, seq: %d}}";
    long odd = forward(job.formatted(4096)) - 2L * 4096 * 4096 * 40_960 * 2;
    long even = forward(job.formatted(8000)) - 2L * 8000 * 8000 * 40_960 * 2;
    assertThat(odd * 8000).isEqualTo(even * 4096);
  }

  private static long forward(String job) {
    return Jobs.job(job).analysis().classes().get(0).flops().getOrDefault(Phase.FORWARD, 0L);
  }

  /** What one dense layer adds: latent vectors are gathered, not the residual stream. */
  @Test
  void underSequenceParallelismLatentVectorsAreGatheredInsteadOfTheResidualStream() {
    long tp = 4;
    long stream = SEQ * HIDDEN;
    long latents = SEQ * (QUERIES + KEYS_AND_VALUES);
    long keys = SEQ * ROTARY;
    // The feed-forward network's input twice, two gradients of outputs; latent vectors once more
    // for their weights.
    assertThat(layer("all-gather", tp, true)).isEqualTo((4 * stream + 2 * latents + keys) / tp);
    assertThat(layer("reduce-scatter", tp, true)).isEqualTo(3 * stream + latents + keys);
    // Replicated over tp, and they see sharded tokens: norms and the projections to latent vectors.
    assertThat(layer("all-reduce", tp, true))
        .isEqualTo(
            2 * HIDDEN + QUERIES + KEYS_AND_VALUES + HIDDEN * (QUERIES + KEYS_AND_VALUES + ROTARY));
  }

  @Test
  void withoutSequenceParallelismGradientsOfLatentVectorsAreReduced() {
    long stream = SEQ * HIDDEN;
    assertThat(layer("all-reduce", 4, false))
        .isEqualTo(3 * stream + SEQ * (QUERIES + KEYS_AND_VALUES + ROTARY));
  }

  @Test
  void downProjectionsAreWholeOnEveryTensorParallelRank() {
    long split = 128L * 192 * QUERIES + 128L * 256 * KEYS_AND_VALUES + 128L * 128 * HIDDEN;
    long whole = HIDDEN * (QUERIES + KEYS_AND_VALUES + ROTARY);
    long norms = 2 * HIDDEN + QUERIES + KEYS_AND_VALUES;
    long network = 3L * HIDDEN * 18_432;
    assertThat(split + whole).isEqualTo(187_105_280L);
    assertThat(job(8, true, 2).parameters() - job(8, true, 1).parameters())
        .isEqualTo((split + network) / 8 + whole + norms);
  }

  /** A norm of one head's width is on every rank, and sees its heads only. */
  @Test
  void normsOfQueriesAndKeysReduceTheirGradientsOverTensorParallelRanks() {
    String job =
        "{model: {preset: qwen3-32b, layers: 1, qk_norm: %s}, mesh: {tp: 8}, training:"
            + " {global_batch: 1, seq: 4096}}";
    long with =
        Jobs.elements(
            Jobs.job(job.formatted(true)).analysis().classes().get(0), "all-reduce", "tp");
    long without =
        Jobs.elements(
            Jobs.job(job.formatted(false)).analysis().classes().get(0), "all-reduce", "tp");
    assertThat(with - without).isEqualTo(2 * 128);
  }

  private static long layer(String kind, long tp, boolean sequenceParallel) {
    return Jobs.elements(job(tp, sequenceParallel, 2), kind, "tp")
        - Jobs.elements(job(tp, sequenceParallel, 1), kind, "tp");
  }

  private static Analysis.OfClass job(long tp, boolean sequenceParallel, int denseLayers) {
    String job =
        "{model: {preset: deepseek-v3, layers: %d, dense_layers: %d}, mesh: {tp: %d}, training:"
            + " {global_batch: 1, seq: 4096, sequence_parallel: %s}}";
    return Jobs.job(job.formatted(denseLayers + 1, denseLayers, tp, sequenceParallel))
        .analysis()
        .classes()
        .get(0);
  }
}
