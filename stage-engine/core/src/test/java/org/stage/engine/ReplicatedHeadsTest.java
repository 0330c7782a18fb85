package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.analyze.Analysis;

/** More tensor-parallel ranks than heads, against closed forms. */
class ReplicatedHeadsTest {
  private static final String JOB =
      "{model: {family: palm, layers: 4, hidden: 64, heads: 6, head_dim: 8, ffn: 256, vocab: 1024},"
          + " mesh: {tp: %d}, training: {global_batch: 2, seq: 32%s}%s}";
  private static final long TOKENS = 2 * 32;
  private static final long H = 64;
  private static final long WIDTH = 6 * 8;
  private static final long L = 4;

  /** Eight ranks: two share out six heads, and four compute the same of them. */
  @ParameterizedTest
  @CsvSource({"'', 4", "', rules: {core_seq: tp}', 1", "', rules: {heads: none}', 8"})
  void whatIsComputedMoreThanOnceIsCounted(String rules, int cores) {
    long copies = rules.contains("heads") ? 8 : 4;
    long keys = 2 * H * 8 * 8;
    long products = L * (2 * H * WIDTH * copies + keys + 3 * H * 256) + H * 1024;
    long scores = 7 * 2 * TOKENS * 32 * WIDTH * L * cores;
    Analysis analysis = Jobs.job(JOB.formatted(8, "", rules)).analysis();
    assertThat(analysis.totalFlops())
        .isEqualTo(BigInteger.valueOf(3 * 2 * TOKENS * products + scores));
  }

  /** What two ranks have parts of is summed over these two; then each takes its tokens. */
  @Test
  void sumsAreOverThoseThatShareOutHeads() {
    String job = JOB.formatted(8, ", sequence_parallel: true", "");
    Analysis.OfClass rank = Jobs.job(job).analysis().classes().get(0);
    assertThat(rank.traffic().stream().map(Analysis.Traffic::kind))
        .contains("reduce-scatter", "all-gather");
    assertThat(Jobs.job(job.replace("palm", "llama")).analysis().classes().get(0).parameters())
        .isEqualTo(
            L * (2 * H * WIDTH / 2 + 2 * H * WIDTH / 2 + 3 * H * 256 / 8 + 2 * H)
                + H
                + 2 * H * 1024 / 8);
  }

  @Test
  void aWarningSaysHowOften() {
    assertThat(said(""))
        .singleElement()
        .asString()
        .contains("exceeds the 6 attention heads")
        .contains("2 ranks share them out, and the products of each head, and its scores, are")
        .contains("computed 4 times over")
        .contains("Largest without copies: 6; with rules.core_seq: tp scores have none.");
    assertThat(said(", rules: {core_seq: tp}"))
        .singleElement()
        .asString()
        .contains("the products of each head are computed 4 times over");
    assertThat(said(", rules: {heads: none}")).isEmpty();
  }

  private static List<String> said(String rules) {
    Synthesis job = Jobs.job(JOB.formatted(8, "", rules));
    return job.advice(job.analysis()).stream().map(Object::toString).toList();
  }

  @Test
  void fewerRanksThanHeadsDivideThem() {
    assertThatThrownBy(() -> Jobs.job(JOB.formatted(4, "", "")))
        .hasMessageContaining("4 does not divide 6 attention heads");
    assertThat(Jobs.job(JOB.formatted(4, "", ", rules: {heads: none}")).analysis()).isNotNull();
  }

  @Test
  void queriesWantRanksThatHeadsLeave() {
    assertThatThrownBy(() -> Jobs.job(JOB.formatted(2, "", ", rules: {core_seq: tp}")))
        .hasMessageContaining("names tp, all of whose 2 ranks share out heads");
  }
}
