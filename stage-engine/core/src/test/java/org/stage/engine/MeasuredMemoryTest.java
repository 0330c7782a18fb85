package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.analyze.Analysis;

/**
 * Peak of PyTorch's allocator in real runs of Megatron-LM on eight B200, as published with SimuMax
 * 1.2 (docs/b200): bf16, gradients in fp32, ZeRO-1, sequence parallelism, flash attention, fused
 * cross-entropy, context parallelism by exchange of heads, experts padded to a capacity of 1.
 *
 * <p>The models are those of the published scripts, not always those of the same name: the 405B has
 * 16 key/value heads, DeepSeek-V3 one dense layer, and the tokenizer adds one token.
 */
class MeasuredMemoryTest {
  private static final double GIB = 1L << 30;

  private static final Map<String, String> MODELS =
      Map.of(
          "llama3-70b", "{preset: llama-3.1-70b, layers: 12, vocab: 128257}",
          "llama3-405b", "{preset: llama-3.1-405b, layers: 4, kv_heads: 16, vocab: 128257}",
          "deepseekv2", "{preset: deepseek-v2, layers: 4, vocab: 102401}",
          "deepseekv3", "{preset: deepseek-v3, layers: 4, dense_layers: 1, vocab: 129281}");

  private static final String JOB =
      "{model: %s, mesh: {%s}, training: {global_batch: 32, seq: %d, zero: 1, sequence_parallel:"
          + " true, context_parallel: ulysses%s}}";

  private static final String EXPERTS = ", expert_gates: activation, expert_capacity: {factor: 1}";

  /** GiB measured on the ranks of the first and of the last stage. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "llama3-70b | pp: 2, dp: 4 | 4096 | 66.55 | 62.97",
        "llama3-70b | tp: 2, dp: 4 | 4096 | 60.68 | 60.68",
        "llama3-70b | tp: 4, dp: 2 | 4096 | 39.07 | 39.07",
        "llama3-70b | tp: 8 | 4096 | 28.29 | 28.29",
        "llama3-405b | pp: 2, dp: 4 | 4096 | 86.61 | 87.08",
        "llama3-405b | tp: 2, dp: 4 | 4096 | 81.59 | 81.59",
        "llama3-405b | tp: 4, dp: 2 | 4096 | 52.89 | 52.89",
        "llama3-405b | tp: 8 | 4096 | 38.57 | 38.57",
        "deepseekv2 | dp: 8, ep: 8, ep_in_dp: true | 4096 | 45.63 | 45.63",
        "deepseekv2 | pp: 2, dp: 4, ep: 4, ep_in_dp: true | 4096 | 31.58 | 44.70",
        "deepseekv3 | dp: 8, ep: 8, ep_in_dp: true | 4096 | 104.30 | 104.30",
        "deepseekv3 | pp: 2, dp: 4, ep: 4, ep_in_dp: true | 4096 | 71.24 | 114.00",
        "llama3-70b | tp: 2, cp: 4 | 32768 | 68.43 | 68.43",
        "llama3-70b | cp: 8 | 32768 | 104.51 | 104.51",
        "llama3-405b | tp: 2, cp: 4 | 32768 | 87.03 | 87.03",
        "llama3-405b | cp: 8 | 32768 | 139.22 | 139.22",
        "llama3-70b | tp: 2, cp: 4 | 131072 | 112.67 | 112.67",
        "llama3-70b | cp: 8 | 131072 | 147.99 | 147.99",
        "llama3-405b | tp: 2, cp: 4 | 131072 | 118.13 | 118.13"
      })
  void thePeakOfEveryStageIsThatOfARealRun(
      String model, String mesh, int seq, double first, double last) {
    String experts = model.startsWith("deepseek") ? EXPERTS : "";
    String job = JOB.formatted(MODELS.get(model), mesh, seq, experts);
    List<Analysis.OfClass> classes = Jobs.job(job).analysis().classes();
    assertPeak(classes.get(0), first);
    assertPeak(classes.get(classes.size() - 1), last);
  }

  private static void assertPeak(Analysis.OfClass stage, double gib) {
    assertThat(stage.memory().peak() / GIB).isCloseTo(gib, within(0.012 * gib));
  }
}
