package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.stage.analyze.Analysis;

/** Traffic of context parallelism against closed forms, alone and with the other strategies. */
class ContextParallelTest {
  private static final String JOB =
      "{model: {family: llama, layers: 4, hidden: 64, heads: 8, kv_heads: 8, ffn: 160, vocab: 1024},"
          + " mesh: {cp: %d, tp: %d, pp: %d, dp: %d}, training: {global_batch: 16, seq: 64,"
          + " sequence_parallel: %s, context_parallel: %s}}";
  private static final long WIDTH = 64;
  private static final long SEQ = 64;

  static Stream<Arguments> grid() {
    Stream.Builder<Arguments> grid = Stream.builder();
    for (int cp : new int[] {2, 4}) {
      for (int tp : new int[] {1, 2}) {
        for (int pp : new int[] {1, 2}) {
          for (int dp : new int[] {1, 2}) {
            grid.add(Arguments.of(cp, tp, pp, dp, (cp + pp + dp) % 2 == 0));
          }
        }
      }
    }
    return grid.build();
  }

  @ParameterizedTest
  @MethodSource("grid")
  void keysAndValuesAreGatheredAndTheirGradientsScattered(
      int cp, int tp, int pp, int dp, boolean sp) {
    Analysis.OfClass rank = rank(cp, tp, pp, dp, sp, "all-gather");
    long each = 16 / dp * (4L / pp);
    long keysAndValues = 2 * SEQ / cp * WIDTH / tp;
    assertThat(Jobs.elements(rank, "all-gather", "cp")).isEqualTo(2 * each * keysAndValues);
    assertThat(Jobs.elements(rank, "reduce-scatter", "cp")).isEqualTo(each * cp * keysAndValues);
    assertThat(Jobs.count(rank, "all-to-all", "cp")).isZero();
  }

  @ParameterizedTest
  @MethodSource("grid")
  void aRingPassesKeysAndValuesOnceForwardAndWithTheirGradientsBackward(
      int cp, int tp, int pp, int dp, boolean sp) {
    Analysis.OfClass rank = rank(cp, tp, pp, dp, sp, "ring");
    long each = 16 / dp * (4L / pp);
    long keysAndValues = 2 * SEQ / cp * WIDTH / tp;
    assertThat(Jobs.elements(rank, "send", "cp")).isEqualTo(3 * (cp - 1) * each * keysAndValues);
    assertThat(Jobs.elements(rank, "recv", "cp")).isEqualTo(3 * (cp - 1) * each * keysAndValues);
    assertThat(Jobs.count(rank, "send", "cp")).isEqualTo(3 * (cp - 1) * each);
    assertThat(Jobs.count(rank, "all-gather", "cp")).isZero();
    assertThat(Jobs.count(rank, "reduce-scatter", "cp")).isZero();
  }

  @ParameterizedTest
  @MethodSource("grid")
  void aRingComputesWhatGatheredKeysDo(int cp, int tp, int pp, int dp, boolean sp) {
    assertThat(job(cp, tp, pp, dp, sp, "ring").totalFlops())
        .isEqualTo(job(cp, tp, pp, dp, sp, "all-gather").totalFlops());
  }

  @ParameterizedTest
  @MethodSource("grid")
  void ulyssesExchangesSequenceForHeadsEachWay(int cp, int tp, int pp, int dp, boolean sp) {
    Analysis.OfClass rank = rank(cp, tp, pp, dp, sp, "ulysses");
    long each = 16 / dp * (4L / pp);
    long exchanged = SEQ / cp * 4 * WIDTH / tp;
    assertThat(Jobs.elements(rank, "all-to-all", "cp")).isEqualTo(2 * each * exchanged);
    assertThat(Jobs.count(rank, "all-gather", "cp")).isZero();
  }

  @ParameterizedTest
  @MethodSource("grid")
  void gradientsAreReducedOverDataAndContextTogether(int cp, int tp, int pp, int dp, boolean sp) {
    for (String form : new String[] {"all-gather", "ring", "ulysses"}) {
      Analysis.OfClass rank = rank(cp, tp, pp, dp, sp, form);
      String axes = dp > 1 ? "dp+cp" : "cp";
      assertThat(Jobs.elements(rank, "all-reduce", axes)).isEqualTo(rank.parameters());
    }
  }

  @ParameterizedTest
  @MethodSource("grid")
  void flopsAndTensorParallelTrafficScaleWithTheShareOfTheSequence(
      int cp, int tp, int pp, int dp, boolean sp) {
    Analysis with = job(cp, tp, pp, dp, sp, "all-gather");
    Analysis without = job(1, tp, pp, dp, sp, "all-gather");
    assertThat(with.totalFlops()).isEqualTo(without.totalFlops());
    assertThat(Jobs.elements(with.classes().get(0), "all-gather", "tp") * cp)
        .isEqualTo(Jobs.elements(without.classes().get(0), "all-gather", "tp"));
  }

  private static Analysis.OfClass rank(int cp, int tp, int pp, int dp, boolean sp, String form) {
    return job(cp, tp, pp, dp, sp, form).classes().get(0);
  }

  private static Analysis job(int cp, int tp, int pp, int dp, boolean sp, String form) {
    return Jobs.job(JOB.formatted(cp, tp, pp, dp, sp, form)).analysis();
  }
}
