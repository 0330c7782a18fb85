package org.stage.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.api.diagnostic.InputException;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Precision;
import org.stage.job.Job;
import org.stage.job.Shardings;
import org.stage.state.Zero;

class JobPlanTest {
  private static final String EXPERTS =
      "{model: {family: llama, layers: 2, hidden: 8, heads: 2, vocab: 16, ffn: 12, experts: 4,"
          + " experts_per_token: 2, expert_ffn: 12, dense_layers: %d},"
          + " mesh: {dp: 2, ep: 2, pp: 2},"
          + " training: {seq: 7, global_batch: 4, expert_load: {layers.1: [3, 1, 2, 1]}}}";

  private static Job job(String training) {
    return ToyJobs.job(2, "dp: 4", "global_batch: 4, " + training);
  }

  private static JobPlan real(String training) {
    return ToyJobs.real(job(training));
  }

  private static List<String> ranks(JobPlan plan) {
    return plan.stepPlans().stream()
        .map(each -> each.stage() + "." + each.expertRank() + ": " + each.ranks())
        .toList();
  }

  @Test
  void eachStageHasAPlanForAllItsRanks() {
    Job job = ToyJobs.job(2, "dp: 2, tp: 2, pp: 2", "global_batch: 2");
    assertThat(ranks(ToyJobs.toy(job))).containsExactly("0.0: 0-3", "1.0: 4-7");
  }

  /** tp inmost, then pp, then dp. */
  @Test
  void ranksOfAStageLieWhereTheMeshSays() {
    Job job = ToyJobs.job(2, "dp: 2, tp: 2, pp: 2, order: [tp, pp, dp]", "global_batch: 2");
    assertThat(ranks(ToyJobs.toy(job))).containsExactly("0.0: 0-1,4-5", "1.0: 2-3,6-7");
  }

  /** Layer 1, on stage 1, is not evenly loaded; ranks count along ep, dp and pp. */
  @Test
  void ranksOfAsManyRowsShareAPlan() {
    assertThat(ranks(ToyJobs.toy(ToyJobs.job(EXPERTS.formatted(0)))))
        .containsExactly("0.0: 0-3", "1.0: 4,6", "1.1: 5,7");
  }

  /** Layer 1 is the second of stage 0. */
  @Test
  void ranksShareAPlanIfTheyHaveAsManyRowsInAllLayersOfTheirStage() {
    Job job =
        ToyJobs.job(EXPERTS.formatted(0), "model.layers=4", "training.layers_per_stage=[3, 1]");
    assertThat(ranks(ToyJobs.toy(job))).containsExactly("0.0: 0,2", "0.1: 1,3", "1.0: 4-7");
    Job last = ToyJobs.job(EXPERTS.formatted(0).replace("layers.1", "layers.2"), "model.layers=3");
    assertThat(ranks(ToyJobs.toy(last))).containsExactly("0.0: 0-3", "1.0: 4,6", "1.1: 5,7");
  }

  @Test
  void layersWithoutExpertsAreAlikeWhateverTheLoad() {
    Job job = ToyJobs.job(EXPERTS.formatted(1));
    JobPlan plan = ToyJobs.toy(job);
    assertThat(plan.layer(0, 1)).isSameAs(plan.layer(0, 0)).isIn(plan.layers().values());
    assertThat(plan.layer(1, 1)).isSameAs(plan.experts().at(1, 1)).isNotSameAs(plan.layer(1, 0));
    assertThat(plan.stepPlans().get(2).units().get(0).plan()).isSameAs(plan.layer(1, 1));
  }

  @Test
  void aModelWithoutExpertsHasDenseLayersOnly() {
    JobPlan plan = ToyJobs.toy(job("zero: 0"));
    assertThat(plan.layers()).hasSize(1);
    assertThat(plan.layer(0, 0)).isSameAs(plan.layer(1, 0)).isIn(plan.layers().values());
  }

  /** A bucket of 10^6 bytes holds 250 000 gradients of 4 bytes. */
  @Test
  void zeroIsAsTheJobSays() {
    Precision mixed = new Precision(DataType.BF16, DataType.BF16, DataType.FP32);
    assertThat(ToyJobs.toy(job("zero: 1, zero_group: 2, bucket_mb: 1")).zero())
        .isEqualTo(new Zero(1, 2, 4, Shardings.atEnd(250_000), Shardings.GATHERED, mixed));
    assertThat(ToyJobs.toy(job("zero: 0")).precision()).isEqualTo(mixed);
  }

  /** Of the toy layer 8 elements leave; of the other, 4 tokens of width 8. */
  @Test
  void theBoundaryIsWhatALayerPassesOn() {
    assertThat(ToyJobs.toy(job("zero: 0")).boundaryElements()).isEqualTo(8);
    assertThat(real("zero: 0").boundaryElements()).isEqualTo(32);
  }

  @Test
  void aJobHasItsPipelineAndItsStages() {
    Job job = ToyJobs.job(5, "pp: 2", "global_batch: 2");
    JobPlan plan = ToyJobs.toy(job);
    assertThat(plan.stages()).isEqualTo(2);
    assertThat(plan.firstLayer(1)).isEqualTo(3);
    assertThat(plan.pipeline().ranks()).isEqualTo(2);
    assertThat(plan.pipeline().microBatches()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({
    "none, false, false, false",
    "layers, false, true, false",
    "not-head, true, true, false",
    "all, true, true, true"
  })
  void modulesAreGatheredAgainAsTheJobSays(
      String which, boolean embedding, boolean layers, boolean head) {
    JobPlan plan = real("zero: 3, zero_regather: " + which);
    assertThat(plan.embedding().states().gathersTwice()).isEqualTo(embedding);
    assertThat(plan.layer(0, 0).states().gathersTwice()).isEqualTo(layers);
    assertThat(plan.head().states().gathersTwice()).isEqualTo(head);
  }

  @Test
  void onlyLayersOffloadWhatTheyKeep() {
    JobPlan plan = real("offload: activations");
    assertThat(plan.layer(0, 0).offload()).hasSize(2);
    assertThat(plan.embedding().offload()).isEmpty();
    assertThat(plan.head().offload()).isEmpty();
    assertThat(real("offload: none").layer(0, 0).offload()).isEmpty();
  }

  @Test
  void allModulesOffloadOptimizerStates() {
    JobPlan plan = real("offload: optimizer");
    for (UnitPlan each : List.of(plan.embedding(), plan.layer(0, 0), plan.head())) {
      assertThat(Units.names(each.states().actions()))
          .containsSubsequence("adam.reload", "adam", "adam.offload");
    }
    assertThat(plan.layer(0, 0).offload()).isEmpty();
    assertThat(Units.names(real("offload: none").head().states().actions()))
        .contains("adam")
        .doesNotContain("adam.reload");
  }

  private static List<String> again(String recompute) {
    JobPlan plan = real("recompute: " + recompute);
    assertThat(plan.embedding().recomputed().instructions()).isEmpty();
    assertThat(plan.head().recomputed().instructions()).isEmpty();
    return Units.names(plan.layer(0, 0).recomputed().instructions());
  }

  @Test
  void layersRunAgainWhatTheJobSays() {
    assertThat(again("none")).isEmpty();
    assertThat(again("selective")).containsExactly("attention.core");
    assertThat(again("[mlp.up, mlp.gate]")).containsExactly("mlp.gate", "mlp.up");
    assertThat(again("full"))
        .containsExactlyElementsOf(
            Units.names(real("recompute: none").layer(0, 0).forward().instructions()));
  }

  @Test
  void whatNoLayerHasCannotRunAgain() {
    assertThatThrownBy(() -> real("recompute: [nothing]"))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("'nothing' names no part of a layer");
  }

  @Test
  void layersWithExpertsRunAgainToo() {
    Job job = ToyJobs.job(EXPERTS.formatted(0), "training.recompute=full");
    JobPlan plan = ToyJobs.real(job);
    UnitPlan layer = plan.layer(1, 0);
    assertThat(Units.names(layer.recomputed().instructions())).contains("moe.router");
  }
}
