package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.analyze.Analysis;
import org.stage.workloadfile.WorkloadReader;

/** Strategies that a workload file spells out, against closed forms derived by hand. */
class RulesTest {
  private static final Path FSTP = Path.of("..", "..", "examples", "fstp.yaml");
  private static final long L = 4;
  private static final long T = 4;
  private static final long M = 4;
  private static final long TOKENS = 128;
  private static final long A = TOKENS * 512;
  private static final long KV = TOKENS * 4 * 64;
  private static final long F = TOKENS * 1536;

  private static Analysis.OfClass fstp(String... overrides) {
    return Synthesis.of(WorkloadReader.read(FSTP, List.of(overrides)).job())
        .analysis()
        .classes()
        .get(0);
  }

  @Test
  void fullyShardedTensorParallelismGathersWhatNormsReadAndGradientsThatWereScattered() {
    // Forward: each norm's input. Backward: the same again; the gradient of what each of the two
    // norms yields; the gradients of what each product yielded: output and down, query, key and
    // value, gate and up.
    long layer = 2 * A + 2 * A + 2 * A + (2 * A + A + 2 * KV + 2 * F);
    // The head's norm forward and again; the gradient of the embedding.
    long ends = 3 * A;
    assertThat(Jobs.elements(fstp(), "all-gather", "tp")).isEqualTo(M * (L * layer + ends) / T);
    assertThat(Jobs.count(fstp(), "all-gather", "tp")).isEqualTo(M * (L * 13 + 3));
  }

  @Test
  void fullyShardedTensorParallelismScattersWhatProductsYieldAndNothingBackward() {
    long layer = 2 * A + A + 2 * KV + 2 * F;
    long embedding = A;
    assertThat(Jobs.elements(fstp(), "reduce-scatter", "tp"))
        .isEqualTo(M * (L * layer + embedding));
    assertThat(Jobs.count(fstp(), "reduce-scatter", "tp")).isEqualTo(M * (L * 7 + 1));
  }

  @Test
  void fullyShardedTensorParallelismReducesOnlyAtTheHead() {
    // The head's matrix is split by rows of the vocabulary, as ever: its input's gradient is
    // summed, and the cross-entropy reduces three numbers a token. No gradient of a parameter is.
    assertThat(Jobs.elements(fstp(), "all-reduce", "tp")).isEqualTo(M * (A + 3 * TOKENS));
  }

  @Test
  void shardingByRulesLeavesFlopsAndParametersAlone() {
    Analysis.OfClass usual = Jobs.job(TP).analysis().classes().get(0);
    assertThat(fstp().flops()).isEqualTo(usual.flops());
    assertThat(fstp().parameters()).isEqualTo(usual.parameters());
  }

  private static final String TP =
      "{model: {family: llama, layers: 4, hidden: 512, heads: 8, kv_heads: 4, ffn: 1536,"
          + " vocab: 32000}, mesh: {dp: 2, tp: 4}, training: {global_batch: 8, seq: 128}}";

  @Test
  void theFirstOfTwoStagesSendsShardsOfTheResidualStream() {
    Analysis.OfClass first = fstp("mesh.pp=2");
    assertThat(Jobs.elements(first, "send", "pp")).isEqualTo(M * A / T);
  }

  @ParameterizedTest
  @CsvSource({
    "'{norm_seq: tp, embed_seq: tp}', sequence_parallel",
    "'{batch: [dp, ep], mlp: tp, heads: [tp]}', nothing"
  })
  void rulesThatSayWhatAKeySaysDoTheSame(String rules, String key) {
    String job = TP.replace("seq: 128}}", "seq: 128%s}, rules: %s}");
    Analysis said = Jobs.job(job.formatted("", rules)).analysis();
    String flag = key.equals("nothing") ? "" : ", " + key + ": true";
    assertThat(said).isEqualTo(Jobs.job(job.formatted(flag, "{}")).analysis());
  }

  @Test
  void aFeedForwardNetworkThatIsNotShardedSendsNothing() {
    Analysis.OfClass rank =
        Jobs.job(TP.replace("seq: 128}}", "seq: 128}, rules: {mlp: none}}"))
            .analysis()
            .classes()
            .get(0);
    // Attention: one all-reduce forward and one backward; embedding, head, cross-entropy.
    assertThat(Jobs.elements(rank, "all-reduce", "tp"))
        .isEqualTo(M * (2 * L * A + 2 * A + 3 * TOKENS));
  }

  @Test
  void aWholeVocabularyNeedsNoReductionInTheLoss() {
    Analysis.OfClass rank =
        Jobs.job(TP.replace("seq: 128}}", "seq: 128}, rules: {vocab: none}}"))
            .analysis()
            .classes()
            .get(0);
    assertThat(Jobs.elements(rank, "all-reduce", "tp")).isEqualTo(M * 4 * L * A);
  }

  @Test
  void sequencesOfAMicroBatchCanBeSplitOverTpWhereNothingElseIs() {
    Analysis.OfClass rank =
        Jobs.job(
                TP.replace("global_batch: 8", "global_batch: 32, micro_batch: 4")
                    .replace(
                        "seq: 128}}",
                        "seq: 128}, rules: {batch: [dp, tp], mlp: none, heads: none,"
                            + " vocab: none}}"))
            .analysis()
            .classes()
            .get(0);
    // Data parallelism over 8 ranks: first inside tp, then over dp.
    long parameters =
        4L * (2 * 512 * 512 + 2 * 512 * 256 + 3 * 512 * 1536 + 2 * 512) + 2 * 32256 * 512 + 512;
    assertThat(Jobs.elements(rank, "all-reduce", "tp")).isEqualTo(parameters);
    assertThat(Jobs.elements(rank, "all-reduce", "dp")).isEqualTo(parameters);
    assertThat(Jobs.count(rank, "all-gather", "")).isZero();
  }
}
