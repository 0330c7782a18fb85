package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.job.Job;
import org.stage.model.ModelGraph;
import org.stage.module.ModuleLibrary;
import org.stage.parallel.PlacedModel;

/** Which jobs share a placed model. */
class PlacedModelTest {
  private static final String MODEL =
      "{model: {family: llama, layers: %d, hidden: %d, heads: 16, kv_heads: 8, ffn: 512, vocab: 1024},"
          + " mesh: {%s}, training: {global_batch: 64, micro_batch: %d, seq: %d,"
          + " sequence_parallel: true%s}}";

  private static PlacedModel placed(Job job) {
    return PlacedModel.of(
        job, ModelGraph.of(job, ModuleLibrary.standard()), ModuleLibrary.standard());
  }

  private static Job job(
      int layers, int hidden, String mesh, int microBatch, int sequence, String more) {
    return Jobs.spec(MODEL.formatted(layers, hidden, mesh, microBatch, sequence, more));
  }

  @ParameterizedTest
  @CsvSource({
    "4, 256, 'tp: 4, dp: 2', 1, 512, ''",
    "40, 1024, 'tp: 8, dp: 4, pp: 4', 2, 4096, ', zero: 3, recompute: full'",
    "2, 256, 'tp: 2, dp: 32', 1, 512, ', schedule: gpipe, offload: activations'",
  })
  void jobsOfOneStructureShareOne(
      int layers, int hidden, String mesh, int microBatch, int sequence, String more) {
    assertThat(placed(job(layers, hidden, mesh, microBatch, sequence, more)))
        .isEqualTo(placed(job(2, 256, "tp: 2, dp: 2", 1, 512, "")));
  }

  /** A degree of 1, a cut of key/value heads, and a ring's degree make another structure. */
  @Test
  void jobsOfOtherStructureDoNot() {
    PlacedModel placed = placed(job(2, 256, "tp: 2, dp: 2", 1, 512, ""));
    assertThat(placed(job(2, 256, "tp: 2", 1, 512, ""))).isNotEqualTo(placed);
    assertThat(placed(job(2, 256, "tp: 16, dp: 2", 1, 512, ""))).isNotEqualTo(placed);
    String ring = ", context_parallel: ring";
    assertThat(placed(job(2, 256, "tp: 2, dp: 2, cp: 4", 1, 512, ring)))
        .isNotEqualTo(placed(job(2, 256, "tp: 2, dp: 2, cp: 2", 1, 512, ring)));
  }
}
