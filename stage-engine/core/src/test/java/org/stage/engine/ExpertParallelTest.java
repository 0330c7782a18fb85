package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.stage.analyze.Analysis;
import org.stage.api.workload.DataType;

/** Mixtures of experts over a grid of strategies against closed forms. */
class ExpertParallelTest {
  private static final long H = 64;
  private static final long S = 32;
  private static final long LAYERS = 4;
  private static final long EXPERTS = 8;
  private static final long TOP_K = 2;
  private static final long EXPERT_FFN = 32;

  /** One point of the grid. */
  private record Point(int ep, int dp, int tp, boolean sp, int pp) {
    Analysis job() {
      return Jobs.job(
              ("{model: {family: llama, layers: 4, hidden: 64, heads: 8, kv_heads: 4, vocab: 1024,"
                      + " experts: 8, experts_per_token: 2, expert_ffn: 32}, mesh: {ep: %d, dp: %d,"
                      + " tp: %d, pp: %d}, training: {global_batch: 16, seq: 32, sequence_parallel:"
                      + " %s}}")
                  .formatted(ep, dp, tp, pp, sp))
          .analysis();
    }

    long microBatches() {
      return 16L / (ep * dp);
    }

    /** Elements that a rank dispatches in a layer. */
    long dispatched() {
      return TOP_K * S * H / (sp ? tp : 1);
    }
  }

  static Stream<Point> grid() {
    Stream.Builder<Point> points = Stream.builder();
    for (int ep : new int[] {1, 2, 4}) {
      for (int dp : new int[] {1, 2}) {
        for (int tp : new int[] {1, 2}) {
          for (int pp : new int[] {1, 2}) {
            points.add(new Point(ep, dp, tp, true, pp));
            points.add(new Point(ep, dp, tp, false, pp));
          }
        }
      }
    }
    return points.build();
  }

  @ParameterizedTest
  @MethodSource("grid")
  void rowsAreExchangedFourTimesALayer(Point p) {
    Analysis.OfClass first = p.job().classes().get(0);
    long exchanges = p.ep > 1 ? 4 * p.microBatches() * LAYERS / p.pp : 0;
    assertThat(Jobs.count(first, "all-to-all", "ep")).isEqualTo(exchanges);
    assertThat(Jobs.elements(first, "all-to-all", "ep")).isEqualTo(exchanges * p.dispatched());
  }

  @ParameterizedTest
  @MethodSource("grid")
  void tensorParallelTrafficIsThatOfAttentionAndOfTheRows(Point p) {
    Analysis.OfClass first = p.job().classes().get(0);
    long layers = p.microBatches() * LAYERS / p.pp;
    long activations = S * H;
    long ends = p.microBatches() * (p.pp == 1 ? 1 : 0);
    long rows = p.tp * p.dispatched();
    long gathers = layers * (3 * activations / p.tp + 2 * p.dispatched());
    gathers += (p.microBatches() + 2 * ends) * activations / p.tp;
    long scatters = layers * (2 * activations + 2 * rows);
    scatters += (p.microBatches() + ends) * activations;
    // Attention, and what experts make of tokens, both ways; the gradient of the gates.
    long reductions = layers * (4 * activations + S * EXPERTS);
    reductions += (p.microBatches() + ends) * activations;
    boolean sharded = p.tp > 1 && p.sp;
    assertThat(Jobs.elements(first, "all-gather", "tp")).isEqualTo(sharded ? gathers : 0);
    assertThat(Jobs.elements(first, "reduce-scatter", "tp")).isEqualTo(sharded ? scatters : 0);
    assertThat(bf16AllReduces(first)).isEqualTo(p.tp > 1 && !p.sp ? reductions : 0);
  }

  @Test
  void withoutSequenceParallelismSumsAreOverTokensAndNotOverTheirRows() {
    Analysis.OfClass qwen =
        Jobs.job(
                "{model: qwen3-235b-a22b, mesh: {tp: 4, ep: 8}, training: {global_batch: 8, seq:"
                    + " 4096}}")
            .analysis()
            .classes()
            .get(0);
    long tokens = 4096;
    // The embedding and both halves of 94 layers, 189 in all; backward the halves and the head;
    // and a gate for each of 128 experts.
    long hidden = (1 + 2 * 94) + (2 * 94 + 1);
    assertThat(bf16AllReduces(qwen)).isEqualTo(tokens * (hidden * 4096 + 94 * 128));
  }

  private static long bf16AllReduces(Analysis.OfClass of) {
    return of.traffic().stream()
        .filter(t -> t.kind().equals("all-reduce") && t.type() == DataType.BF16)
        .mapToLong(Analysis.Traffic::elements)
        .sum();
  }

  @ParameterizedTest
  @MethodSource("grid")
  void gradientsOfExpertsAreReducedAmongTheirCopiesAndOthersAmongAllRanks(Point p) {
    Analysis.OfClass first = p.job().classes().get(0);
    long experts = LAYERS / p.pp * EXPERTS * 3 * H * EXPERT_FFN / p.ep / p.tp;
    long dense = first.parameters() - experts;
    String all = p.dp > 1 && p.ep > 1 ? "dp+ep" : p.dp > 1 ? "dp" : "ep";
    if (p.dp == 1) {
      assertThat(Jobs.elements(first, "all-reduce", all)).isEqualTo(p.ep > 1 ? dense : 0);
    } else if (p.ep == 1) {
      assertThat(Jobs.elements(first, "all-reduce", "dp")).isEqualTo(dense + experts);
    } else {
      assertThat(Jobs.elements(first, "all-reduce", all)).isEqualTo(dense);
      assertThat(Jobs.elements(first, "all-reduce", "dp")).isEqualTo(experts);
    }
  }

  @ParameterizedTest
  @MethodSource("grid")
  void flopsDoNotDependOnTheParallelisationButForRouters(Point p) {
    long attention = 2 * H * H + 2 * H * 32;
    // Without sequence parallelism every tensor-parallel rank routes all tokens.
    long routers = p.sp ? 1 : p.tp;
    long experts = TOP_K * 3 * H * EXPERT_FFN + routers * H * EXPERTS;
    long tokens = 16 * S;
    long forward = 2 * tokens * (LAYERS * (attention + experts) + H * 1024);
    long scores = 7 * 2 * 16 * S * S * H * LAYERS;
    assertThat(p.job().totalFlops()).isEqualTo(BigInteger.valueOf(3 * forward + scores));
  }

  @Test
  void expertsCarvedOutOfDataParallelismNeedNoFurtherDevices() {
    String job =
        "{model: mixtral-8x7b, mesh: {dp: 8, ep: 4, ep_in_dp: true}, training: {global_batch: 8,"
            + " seq: 4096}}";
    Analysis analysis = Jobs.job(job).analysis();
    assertThat(analysis.mesh().devices()).isEqualTo(8);
    assertThat(analysis.mesh().degree("ep")).isEqualTo(4);
    assertThat(analysis.mesh().degree("dp")).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({
    "'', 0",
    "'{expert: tp, expert_mlp: none}', 4",
    "'{expert: [tp, dp], expert_mlp: none}', 8"
  })
  void expertsMayLieOverTensorAndDataParallelismByRules(String rules, int ranks) {
    String job =
        "{model: {family: llama, layers: 2, hidden: 64, heads: 8, vocab: 1024, experts: 8,"
            + " experts_per_token: 2, expert_ffn: 32}, mesh: {tp: 4, dp: 2%s}, training:"
            + " {global_batch: 2, seq: 32, sequence_parallel: true}%s}";
    if (ranks == 0) {
      assertThatThrownBy(() -> Jobs.job(job.formatted(", ep: 4, ep_in_dp: true", "")))
          .hasMessageContaining(
              "Nearest that do: 2. Or, without mesh.ep, rules: {expert: tp, expert_mlp: none} lays"
                  + " experts over 4 ranks of tp, {expert: [tp, dp], expert_mlp: none} over 8.");
      return;
    }
    Analysis analysis = Jobs.job(job.formatted("", ", rules: " + rules)).analysis();
    long dense = 2 * (4 * 64 * 64 / 4 + 2 * 64 + 64 * 8) + 64 + 2 * 64 * 1024 / 4;
    long experts = 2L * 8 * 3 * 64 * 32 / ranks;
    assertThat(analysis.classes().get(0).parameters()).isEqualTo(dense + experts);
  }

  @Test
  void aTokenMeetsOnlyTheExpertsThatItIsSentTo() {
    Analysis mixtral =
        Jobs.job("{model: mixtral-8x7b, training: {global_batch: 1, seq: 4096}}").analysis();
    assertThat(List.of(mixtral.parameters(), mixtral.activeParameters()))
        .containsExactly(46_702_792_704L, 12_879_925_248L);
    Analysis deepseek =
        Jobs.job("{model: deepseek-moe-16b, training: {global_batch: 1, seq: 4096}}").analysis();
    assertThat(List.of(deepseek.parameters(), deepseek.activeParameters()))
        .containsExactly(16_375_728_128L, 2_828_650_496L);
  }
}
