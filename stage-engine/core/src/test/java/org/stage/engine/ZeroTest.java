package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.stage.analyze.Analysis;
import org.stage.analyze.Memory;
import org.stage.analyze.MemoryTimeline;
import org.stage.job.Job;
import org.stage.model.ModelGraph;
import org.stage.module.ModuleLibrary;
import org.stage.plan.JobPlan;
import org.stage.plan.StepPlan;
import org.stage.state.Work;

/** Traffic and memory of ZeRO against its closed forms, on a model whose modules divide evenly. */
class ZeroTest {
  private static final String JOB =
      "{model: {family: llama, layers: 3, hidden: 64, heads: 8, kv_heads: 4, ffn: 160, vocab: 1024},"
          + " mesh: {dp: 4}, training: {global_batch: 16, seq: 32, zero: %d%s}}";
  private static final long LAYER = 2 * 64 * 64 + 2 * 64 * 32 + 3 * 64 * 160 + 2 * 64;
  private static final long ENDS = 2 * 1024 * 64 + 64;
  private static final long ALL = 3 * LAYER + ENDS;
  private static final long MICRO_BATCHES = 4;

  @Test
  void stage0ReducesEachGradientOnce() {
    Analysis.OfClass rank = rank(0, "");
    assertThat(Jobs.elements(rank, "all-reduce", "dp")).isEqualTo(ALL);
    assertThat(Jobs.count(rank, "reduce-scatter", "dp")).isZero();
  }

  @Test
  void stage1ScattersEachGradientOnceAndGathersUpdatedParameters() {
    Analysis.OfClass rank = rank(1, "");
    assertThat(Jobs.elements(rank, "reduce-scatter", "dp")).isEqualTo(ALL);
    assertThat(Jobs.elements(rank, "all-gather", "dp")).isEqualTo(ALL / 4);
    assertThat(Jobs.count(rank, "all-reduce", "dp")).isZero();
  }

  @Test
  void stage2ScattersTheGradientsOfEveryMicroBatch() {
    Analysis.OfClass rank = rank(2, "");
    assertThat(Jobs.elements(rank, "reduce-scatter", "dp")).isEqualTo(MICRO_BATCHES * ALL);
    assertThat(Jobs.elements(rank, "all-gather", "dp")).isEqualTo(ALL / 4);
  }

  @ParameterizedTest
  @CsvSource({"none", "full"})
  void stage3GathersLayersTwiceAndTheEndsOnceForEachMicroBatch(String recompute) {
    Analysis.OfClass rank = rank(3, ", recompute: " + recompute);
    assertThat(Jobs.elements(rank, "reduce-scatter", "dp")).isEqualTo(MICRO_BATCHES * ALL);
    assertThat(Jobs.elements(rank, "all-gather", "dp"))
        .isEqualTo(MICRO_BATCHES * (2 * 3 * LAYER + ENDS) / 4);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void groupsOfOneShardNothing(int zero) {
    Analysis.OfClass rank = rank(zero, ", zero_group: 1");
    assertThat(rank.traffic()).isEqualTo(rank(0, "").traffic());
    assertThat(rank.memory()).isEqualTo(rank(0, "").memory());
    Synthesis job = Jobs.job(JOB.formatted(zero, ", zero_group: 1"));
    assertThat(job.workload().classes().get(0).graph().nodes()).isNotEmpty();
  }

  /** A collective of one rank is none: none is planned, whatever the job. */
  @Test
  void everyCollectiveHasSeveralRanks() {
    SeededJobs.some(200)
        .forEach(
            yaml -> {
              Job job = Jobs.spec(yaml);
              ModelGraph model = ModelGraph.of(job, ModuleLibrary.standard());
              for (StepPlan plan : JobPlan.of(job, model, ModuleLibrary.standard()).stepPlans()) {
                plan.forEach(
                    (each, times) -> {
                      if (each.action().work() instanceof Work.Transfer transfer) {
                        assertThat(transfer.group().size()).as(each.name()).isGreaterThan(1);
                      }
                    });
              }
            });
  }

  /**
   * Experts without copies are accumulated in place: of one layer of 8 experts on 4 expert-parallel
   * ranks, only the attention, router and norms are made whole and scattered.
   */
  @Test
  void gradientsOfExpertsWithoutCopiesAreNotCountedTwice() {
    String job =
        "{model: {family: llama, layers: 1, hidden: 64, heads: 8, kv_heads: 4, vocab: 1024, experts:"
            + " 8, experts_per_token: 2, expert_ffn: 512}, mesh: {ep: 4}, training: {global_batch: 4,"
            + " seq: 32, zero: %d, vocab_multiple: 1}}";
    long dense = 2 * 64 * 64 + 2 * 64 * 32 + 2 * 64 + 64 * 8;
    long experts = 3 * 64 * 512 * 8 / 4;
    Memory memory = Jobs.job(job.formatted(2)).analysis().classes().get(0).memory();
    assertThat(memory.gradients()).isEqualTo(4 * (experts + (dense + ENDS) / 4));
    assertThat(wholeGradients(job.formatted(2), "layers.0")).isEqualTo(4 * dense);
  }

  /**
   * One device of four holds both ends: the head begins the gradient, the embedding scatters it.
   */
  @Test
  void theWholeGradientOfATiedTableIsThereFromTheHeadToTheEmbedding() {
    String tied = JOB.formatted(2, "").replace("vocab: 1024", "vocab: 1024, tied: true");
    long table = 1024 * 64;
    assertThat(wholeGradients(tied, "head")).isEqualTo(4 * (table + 64));
    for (int layer = 0; layer < 3; layer++) {
      assertThat(wholeGradients(tied, "layers." + layer)).isEqualTo(4 * (table + LAYER));
    }
    assertThat(wholeGradients(tied, "embedding")).isEqualTo(4 * table);
  }

  /** Bytes of workspace that the backward pass of a module adds to that of its forward pass. */
  private static long wholeGradients(String yaml, String module) {
    MemoryTimeline timeline = Jobs.job(yaml).memoryTimelines().get(0);
    long[] workspace = new long[2];
    for (MemoryTimeline.Moment moment : timeline.moments()) {
      if (moment.modules().equals(List.of(module))) {
        workspace[moment.passes().startsWith("F") ? 0 : 1] = moment.memory().workspace();
      }
    }
    return workspace[1] - workspace[0];
  }

  @Test
  void hybridShardingReducesShardsOverTheCopies() {
    Analysis.OfClass rank = rank(3, ", zero_group: 2");
    assertThat(rank.traffic().stream().filter(t -> t.axis().equals("dp")))
        .allMatch(t -> t.groupSize() == 2);
    assertThat(Jobs.elements(rank, "reduce-scatter", "dp")).isEqualTo(MICRO_BATCHES * ALL);
    assertThat(Jobs.elements(rank, "all-reduce", "dp")).isEqualTo(ALL / 2);
  }

  @Test
  void whatDoesNotDivideIsPadded() {
    Analysis.OfClass rank =
        Jobs.job(JOB.formatted(1, ""), "mesh.dp=16").analysis().classes().get(0);
    // The head's 64 norm weights and its table divide by 16; a layer's elements do too.
    assertThat(Jobs.elements(rank, "reduce-scatter", "dp")).isEqualTo(ALL);
    Analysis.OfClass odd =
        Jobs.job(JOB.formatted(1, ""), "mesh.dp=3", "training.global_batch=15")
            .analysis()
            .classes()
            .get(0);
    long layer = (LAYER + 2) / 3;
    long embedding = (1024 * 64 + 2) / 3;
    long head = (1024 * 64 + 64 + 2) / 3;
    assertThat(Jobs.elements(odd, "all-gather", "dp")).isEqualTo(3 * layer + embedding + head);
    assertThat(Jobs.elements(odd, "reduce-scatter", "dp"))
        .isEqualTo(3 * (3 * layer + embedding + head));
  }

  @ParameterizedTest
  @CsvSource({"0, all-reduce", "1, reduce-scatter"})
  void bucketsCutTheGradientsOfAModule(int zero, String kind) {
    String big = ", bucket_mb: 1";
    String job = JOB.replace("hidden: 64", "hidden: 512");
    Analysis.OfClass whole = Jobs.job(job.formatted(zero, "")).analysis().classes().get(0);
    Analysis.OfClass cut = Jobs.job(job.formatted(zero, big)).analysis().classes().get(0);
    long layer = 2 * 512 * 512 + 2 * 512 * 256 + 3 * 512 * 160 + 2 * 512;
    long table = 1024 * 512;
    long bucket = 250_000;
    long pieces =
        3 * ((layer + bucket - 1) / bucket)
            + (table + bucket - 1) / bucket
            + (table + 512 + bucket - 1) / bucket;
    assertThat(Jobs.count(cut, kind, "dp")).isEqualTo(pieces);
    assertThat(Jobs.elements(cut, kind, "dp")).isEqualTo(Jobs.elements(whole, kind, "dp"));
  }

  @Test
  void flopsDoNotDependOnSharding() {
    assertThat(Jobs.job(JOB.formatted(3, "")).analysis().totalFlops())
        .isEqualTo(Jobs.job(JOB.formatted(0, "")).analysis().totalFlops());
  }

  @Test
  void stage3KeepsTheEndsAndTheLayersInUseGathered() {
    Memory one = rank(3, ", prefetch: 0").memory();
    Memory two = rank(3, ", prefetch: 1").memory();
    assertThat(one.parameters()).isEqualTo(2 * ALL / 4);
    assertThat(two.workspace() - one.workspace()).isEqualTo(2 * LAYER);
  }

  private static Analysis.OfClass rank(int zero, String more) {
    return Jobs.job(JOB.formatted(zero, more)).analysis().classes().get(0);
  }
}
