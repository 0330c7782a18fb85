package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.analyze.Memory;

/** Memory against published tables; against real runs, see {@link MeasuredMemoryTest}. */
class MemoryTest {
  /**
   * Bytes that one layer of GPT-3 175B keeps of a sequence of 2048 on 8 tensor-parallel ranks
   * (Korthikanti et al., arXiv 2205.05198, Table 2), as what a further layer adds to the peak.
   */
  @ParameterizedTest
  @CsvSource({
    "1, false, none, 2868903936",
    "8, false, none, 578813952",
    "8, true, none, 358612992",
    "8, false, selective, 327155712",
    "8, true, selective, 106954752",
    "8, false, full, 50331648"
  })
  void aLayerKeepsWhatKorthikantiCounts(int tp, boolean sp, String recompute, long bytes) {
    String job =
        "{model: {preset: gpt-3-175b, layers: %d}, mesh: {tp: %d}, training: {global_batch: 1,"
            + " seq: 2048, sequence_parallel: %s, recompute: %s, attention: unfused,"
            + " dropout: true}}";
    long four = memory(job.formatted(4, tp, sp, recompute)).activations();
    long five = memory(job.formatted(5, tp, sp, recompute)).activations();
    assertThat(five - four).isEqualTo(bytes);
  }

  /** Model states of mixed-precision Adam (Rajbhandari et al., arXiv 1910.02054, figure 1). */
  @ParameterizedTest
  @CsvSource({"0, 16, 0", "1, 4, 12", "2, 2, 14", "3, 0, 16"})
  void modelStatesAreThoseOfZerosTable(int stage, int whole, int sharded) {
    int degree = 8;
    String job =
        "{model: llama-2-7b, mesh: {dp: 8}, training: {global_batch: 8, seq: 2048,"
            + " gradients: precision, vocab_multiple: 1, zero: %d}}";
    Memory memory = memory(job.formatted(stage));
    long parameters = 6_738_415_616L;
    assertThat(memory.parameters() + memory.gradients() + memory.optimizer())
        .isEqualTo(whole * parameters + sharded * parameters / degree);
  }

  @Test
  void gradientsInFp32AddTwoBytesToEachParameter() {
    String job =
        "{model: llama-2-7b, mesh: {dp: 8}, training: {global_batch: 8, seq: 2048,"
            + " vocab_multiple: 1}}";
    Memory memory = memory(job);
    assertThat(memory.parameters() + memory.gradients() + memory.optimizer())
        .isEqualTo(18 * 6_738_415_616L);
  }

  @ParameterizedTest
  @CsvSource({"4, 4", "8, 8", "32, 32"})
  void thePeakDoesNotDependOnTheNumberOfMicroBatches(int some, int more) {
    String job =
        "{model: {preset: llama-3.1-8b, layers: 4}, mesh: {pp: 2}, training: {global_batch: %d,"
            + " seq: 2048}}";
    assertThat(memory(job.formatted(some * 2)).peak())
        .isEqualTo(memory(job.formatted(more * 4)).peak());
  }

  @Test
  void gpipeKeepsAllMicroBatchesAndOneForwardOneBackwardAsManyAsThereAreStages() {
    String job =
        "{model: {preset: llama-3.1-8b, layers: 4}, mesh: {pp: 2}, training: {global_batch: %d,"
            + " seq: 2048, schedule: %s}}";
    long inFlight =
        memory(job.formatted(8, "gpipe")).activations()
            - memory(job.formatted(7, "gpipe")).activations();
    assertThat(memory(job.formatted(8, "gpipe")).activations())
        .isEqualTo(memory(job.formatted(8, "1f1b")).activations() + 6 * inFlight);
  }

  private static Memory memory(String job) {
    return Jobs.job(job).analysis().classes().get(0).memory();
  }
}
