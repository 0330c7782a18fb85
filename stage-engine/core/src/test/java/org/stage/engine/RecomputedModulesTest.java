package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
