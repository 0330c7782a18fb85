package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.stage.analyze.Analysis;
import org.stage.api.diagnostic.InputException;
import org.stage.api.workload.Phase;

/** Memory and FLOPs of recomputed modules, worked out by hand. */
class RecomputedModulesTest {
  private static final long S = 64;
  private static final long H = 32;
  private static final long F = 80;
  private static final String JOB =
      "{model: {family: llama, layers: %d, hidden: 32, heads: 4, ffn: 80, vocab: 128}, training:"
          + " {global_batch: 1, seq: 64, attention: unfused, recompute: %s}}";

  private static Analysis.OfClass rank(int layers, String recompute) {
    return Jobs.job(JOB.formatted(layers, recompute)).analysis().classes().get(0);
  }

  /** What a layer more adds to the peak: what it keeps. */
  private static long kept(String recompute) {
    // At the peak the last layer's backward runs; those below it hold what they keep.
    return rank(6, recompute).memory().activations() - rank(5, recompute).memory().activations();
  }

  private static final long ATTENTION_FLOPS = 4 * 2 * S * H * H + 2 * 2 * S * S * H;
  private static final long MLP_FLOPS = 3 * 2 * S * H * F;

  @ParameterizedTest
  @CsvSource({
    "none, 0, 0",
    "'[attention]', 1, 0",
    "'[mlp]', 0, 1",
    "'[layers.*.mlp]', 0, 1",
    "'[attention, mlp]', 1, 1",
    "'[\"*_norm\", mlp]', 0, 1",
    "full, 1, 1"
  })
  void theProductsOfTheModulesRunOnceMore(String recompute, long attention, long mlp) {
    Map<Phase, Long> flops = rank(5, recompute).flops();
    assertThat(flops.get(Phase.RECOMPUTE))
        .isEqualTo(5 * (attention * ATTENTION_FLOPS + mlp * MLP_FLOPS));
  }

  @Test
  void partOfAModuleRunsAgainAlone() {
    assertThat(rank(5, "[mlp.up]").flops().get(Phase.RECOMPUTE)).isEqualTo(5 * 2 * S * H * F);
  }

  /** Elements of 2 bytes that a layer keeps: x and x after attention, both norms, and within. */
  @ParameterizedTest
  @CsvSource({
    // Within attention: q, k, v, o, scores twice (before and after softmax, of which the gradient
    // needs the latter); in the feed-forward network: gate, up and their product.
    "none, 1, 1, 2",
    "'[attention]', 0, 1, 2",
    "'[mlp]', 1, 0, 2",
    "'[attention, mlp]', 0, 0, 2",
    "'[attention_norm, attention, mlp_norm, mlp]', 0, 0, 0"
  })
  void whatModulesMakeAgainIsNotKept(String recompute, long attention, long mlp, long norms) {
    long within = attention * (4 * S * H + 4 * S * S) + mlp * 3 * S * F;
    assertThat(kept(recompute)).isEqualTo(2 * (2 * S * H + norms * S * H + within));
  }

  private static final String FLASH =
      "{model: {family: llama, layers: %d, hidden: 32, heads: 4, ffn: 80, vocab: 128%s}, mesh: {tp:"
          + " %d}, training: {global_batch: 1, seq: 64, sequence_parallel: %s, recompute: %s}}";

  /** What a layer more adds to the peak, on each of some ranks. */
  private static long kept(String more, int tp, String recompute) {
    long[] bytes = new long[2];
    for (int i = 0; i < 2; i++) {
      String job = FLASH.formatted(5 + i, more, tp, tp > 1, recompute);
      bytes[i] = Jobs.job(job).analysis().classes().get(0).memory().activations();
    }
    return bytes[1] - bytes[0];
  }

  /**
   * Megatron-LM's {@code layernorm} and {@code moe_act} discard what others read, and make it again
   * for them. 4 bytes a query and head are the statistics of flash attention.
   */
  @ParameterizedTest
  @CsvSource({
    "none, 0, 0, 0",
    "[attention_norm], 1, 0, 0",
    "'[\"*_norm\"]', 2, 0, 0",
    "[mlp.activation], 0, 1, 0",
    "'[mlp.gate, mlp.up]', 0, 2, 0",
    "'[mlp.gate, mlp.up, mlp.activation]', 0, 3, 0",
    "[mlp.down], 0, 0, 0",
    "'[mlp_norm, mlp]', 1, 3, 0",
    "[attention], 4, 0, 1",
    "'[attention_residual]', 0, 0, 0"
  })
  void whatOthersReadOfAPartIsMadeAgainForThem(
      String recompute, long ofHidden, long ofFfn, long statistics) {
    long none = 2 * (8 * S * H + 3 * S * F) + 4 * S * 4;
    long freed = 2 * (ofHidden * S * H + ofFfn * S * F) + statistics * 4 * S * 4;
    assertThat(kept("", 1, recompute)).isEqualTo(none - freed);
    // Under sequence parallelism all of it is sharded: what was gathered is gathered again.
    assertThat(kept("", 2, recompute)).isEqualTo((none - freed) / 2);
    assertThat(kept("", 4, recompute)).isEqualTo((none - freed) / 4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[mlp.down]", "[attention.output]", "[attention_residual]"})
  void aPartOfWhichNothingIsKeptDoesNotRunAgain(String recompute) {
    Synthesis job = Jobs.job(JOB.formatted(5, recompute));
    assertThat(job.analysis().classes().get(0).flops().getOrDefault(Phase.RECOMPUTE, 0L)).isZero();
    assertThat(job.advice(job.analysis()))
        .anyMatch(each -> each.message().contains("free nothing that is kept"));
  }

  /**
   * Megatron-LM's {@code mla_up_proj}: latent vectors stay, what is made of them for each of 4
   * heads does not: queries and keys of 8, and 6 + 4 in which values stand.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void projectionsOfLatentVectorsRunAgain(int tp) {
    String latent = ", q_latent: 10, kv_latent: 12, plain_dim: 6, rotary_dim: 2, value_dim: 4";
    String parts =
        "[attention.query_up, attention.query_rotary, attention.query_concat, attention.kv_up,"
            + " attention.key_rotary, attention.key_concat]";
    assertThat(kept(latent, tp, "none") - kept(latent, tp, parts))
        .isEqualTo(2 * S * 4 * (8 + 8 + 10) / tp);
  }

  /** 126 layers on 16 stages, 8 key/value heads: gathered inputs are not kept. */
  @Test
  void noPartOfALargeModelNeedsMoreThanNone() {
    String job =
        "{model: llama-3.1-405b, mesh: {tp: 8, pp: 16, dp: 16}, training: {global_batch: 256, seq:"
            + " 8192, zero: 1, sequence_parallel: true, recompute: %s}}";
    long none = Jobs.job(job.formatted("none")).analysis().peakMemoryBytes();
    for (String parts : List.of("[attention]", "[mlp.gate, mlp.up]")) {
      assertThat(Jobs.job(job.formatted(parts)).analysis().peakMemoryBytes())
          .as(parts)
          .isLessThan(none);
    }
  }

  @Test
  void aModuleThatALayerDoesNotHaveIsRefusedWithThoseItHas() {
    assertThatThrownBy(() -> rank(2, "[mlps]"))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("training.recompute: 'mlps' names no part of a layer")
        .hasMessageContaining("Did you mean mlp?")
        .hasMessageContaining("attention_norm, attention, mlp_norm, mlp");
  }

  @Test
  void allModulesTogetherDoTheProductsOfAWholeLayer() {
    assertThat(rank(5, "['**']").flops()).isEqualTo(rank(5, "full").flops());
  }
}
