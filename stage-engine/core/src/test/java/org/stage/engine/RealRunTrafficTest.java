package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.stage.analyze.Analysis;

/**
 * Traffic of runs on real clusters, per rank of the first stage and step, in millions of elements
 * (arXiv 2511.10480, Table VII, measured columns; the closed forms behind them give these digits).
 */
class RealRunTrafficTest {
  private static final String GPT_5B =
      "{model: gpt-3-5b, mesh: {%s}, training: {global_batch: 128, seq: 2048, %s}}";
  private static final String GPT_175B =
      "{model: gpt-3-175b, mesh: {%s}, training: {global_batch: 128, %s}}";
  private static final String LLAMA_8B =
      "{model: llama-3.1-8b, mesh: {%s}, training: {global_batch: 128, seq: 8192, %s}}";
  private static final String SP = "sequence_parallel: true";

  static Stream<Arguments> runs() {
    return Stream.of(
        Arguments.of(
            GPT_5B.formatted("tp: 8", SP),
            "all-gather tp 19730.006, reduce-scatter tp 104152.957, all-reduce tp 1075.126"),
        Arguments.of(
            GPT_5B.formatted("pp: 8", "micro_batch: 1"),
            "send pp 1073.742, recv pp 1073.742, all-reduce pp 206.045"),
        // Its micro-batch of 8 is global: one sequence on each of 8 ranks.
        Arguments.of(
            GPT_5B.formatted("dp: 8", "zero: 3"),
            "all-gather dp 19761.349, reduce-scatter dp 80760.930"),
        Arguments.of(
            GPT_175B.formatted("tp: 32", "seq: 512, " + SP),
            "all-gather tp 14571.012, reduce-scatter tp 310042.952, all-reduce tp 812.605"),
        Arguments.of(
            GPT_175B.formatted("tp: 4, pp: 8, dp: 2", "seq: 2048, " + SP),
            "all-gather tp 29393.682, reduce-scatter tp 77309.411, all-reduce tp+pp 1767.211"),
        Arguments.of(
            LLAMA_8B.formatted("tp: 4, pp: 2", SP),
            "all-gather tp 104152.957, reduce-scatter tp 279172.874, send pp 1073.742"),
        // The trace of the next two lacks one all-reduce of a micro-batch's activations, A.
        Arguments.of(LLAMA_8B.formatted("tp: 8", "micro_batch: 1"), "all-reduce tp 558348.894"),
        Arguments.of(
            LLAMA_8B.formatted("tp: 4, pp: 2, dp: 2", "micro_batch: 1"),
            "all-reduce tp 139586.437, send pp 2147.484"));
  }

  /** Runs with experts, whose routing was padded to a capacity of 1.0; first stage. */
  static Stream<Arguments> runsWithExperts() {
    return Stream.of(
        Arguments.of(
            "{model: mixtral-8x7b, mesh: {tp: 4, ep: 8, pp: 4}, training: {global_batch: 128,"
                + " seq: 4096, sequence_parallel: true, expert_capacity: {factor: 1.0},"
                + " schedule: interleaved, virtual_stages: 2}}",
            // Sends are in one column with all-to-alls: 4294.967 and 201.327, measured 4496.3.
            "all-gather tp 3825.205, reduce-scatter tp 13153.337, all-reduce tp 0.328,"
                + " all-to-all ep 4294.967, send pp 201.327, recv pp 201.327"),
        Arguments.of(
            "{model: {preset: deepseek-moe-16b, vocab: 32000}, mesh: {ep: 8}, training:"
                + " {global_batch: 128, seq: 2048, zero: 1, expert_capacity: {factor: 1.0}}}",
            "all-to-all ep 43486.544, reduce-scatter ep 1138.870, all-gather ep 142.359"),
        Arguments.of(
            "{model: {preset: deepseek-moe-16b, vocab: 32000, dense_layers: 0, shared_experts: 0,"
                + " experts: 144, experts_per_token: 2}, mesh: {ep: 8, tp: 2, dp: 2}, training:"
                + " {global_batch: 64, seq: 2048, sequence_parallel: true, expert_capacity: {factor:"
                + " 1.0}}}",
            "all-gather tp 1720.713, reduce-scatter tp 2954.887, all-to-all ep 1981.809,"
                + " all-reduce tp 8.399"));
  }

  @ParameterizedTest
  @MethodSource("runsWithExperts")
  void theFirstStageWithExpertsSendsWhatARealRunSent(String job, String expected) {
    Analysis.OfClass first = Jobs.job(job).analysis().classes().get(0);
    for (String figure : expected.split(", ")) {
      String[] part = figure.split(" ");
      double elements = Jobs.elements(first, part[0], part[1]);
      assertThat(String.format(Locale.ROOT, "%.3f", elements / 1e6)).as(figure).isEqualTo(part[2]);
    }
  }

  @ParameterizedTest
  @MethodSource("runs")
  void theFirstStageSendsWhatARealRunSent(String job, String expected) {
    Analysis.OfClass first = Jobs.job(job).analysis().classes().get(0);
    for (String figure : expected.split(", ")) {
      String[] part = figure.split(" ");
      double elements =
          Stream.of(part[1].split("\\+")).mapToLong(a -> Jobs.elements(first, part[0], a)).sum();
      assertThat(String.format(Locale.ROOT, "%.3f", elements / 1e6)).as(figure).isEqualTo(part[2]);
    }
  }
}
