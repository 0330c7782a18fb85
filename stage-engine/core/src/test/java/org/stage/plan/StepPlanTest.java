package org.stage.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.stage.schedule.Pass;
import org.stage.schedule.Slot;
import org.stage.state.Moment;

class StepPlanTest {
  private static final String MESH = "dp: 2, pp: 2";

  private static StepPlan stage(int stage, int layers, String training) {
    return ToyJobs.toy(ToyJobs.job(layers, MESH, training)).stepPlans().get(stage);
  }

  private static Map<String, Long> counts(StepPlan plan) {
    Map<String, Long> counts = new TreeMap<>();
    plan.forEach((action, times) -> counts.merge(action.name(), times, Long::sum));
    return counts;
  }

  /** Three micro-batches. */
  @Test
  void passesComeWithEachMicroBatchAndReductionsWithTheLast() {
    assertThat(counts(stage(1, 2, "global_batch: 6, grad_clip: true")))
        .isEqualTo(
            Map.ofEntries(
                Map.entry("recv.forward", 3L),
                Map.entry("layers.1.norm", 3L),
                Map.entry("layers.1.up", 3L),
                Map.entry("head.norm", 3L),
                Map.entry("head.up", 3L),
                Map.entry("head.up.n", 3L),
                Map.entry("head.up.w", 3L),
                Map.entry("head.norm.x", 3L),
                Map.entry("layers.1.up.n", 3L),
                Map.entry("layers.1.up.w", 3L),
                Map.entry("layers.1.norm.x", 3L),
                Map.entry("send.backward", 3L),
                Map.entry("head.grad.all-reduce.dp", 1L),
                Map.entry("layers.1.grad.all-reduce.dp", 1L),
                Map.entry("layers.1.grad_norm", 1L),
                Map.entry("head.grad_norm", 1L),
                Map.entry("grad_norm.sum", 1L),
                Map.entry("grad_norm.all-reduce", 1L),
                Map.entry("layers.1.adam", 1L),
                Map.entry("head.adam", 1L)));
  }

  @Test
  void shardsAreAddedUpFromTheSecondMicroBatchOn() {
    assertThat(counts(stage(1, 2, "global_batch: 6, zero: 2")))
        .containsEntry("head.grad.reduce-scatter.dp", 3L)
        .containsEntry("head.grad.reduce-scatter.dp.accumulate", 2L);
  }

  @Test
  void chunksAreCountedByTheMicroBatchesThatRunThroughThem() {
    Map<String, Long> interleaved =
        counts(stage(0, 4, "global_batch: 8, schedule: interleaved, virtual_stages: 2, zero: 2"));
    assertThat(interleaved)
        .containsEntry("layers.0.up", 4L)
        .containsEntry("layers.2.up", 4L)
        .containsEntry("layers.2.grad.reduce-scatter.dp.accumulate", 3L)
        .containsEntry("send.forward", 8L)
        .containsEntry("recv.forward", 4L);
  }

  /** Half of four micro-batches run through each chunk, whose first adds up nothing. */
  @Test
  void dualPipesChunksHaveFirstAndLastMicroBatchesOfTheirOwn() {
    for (int stage = 0; stage < 2; stage++) {
      assertThat(counts(stage(stage, 2, "global_batch: 8, schedule: dualpipe, zero: 2")))
          .containsEntry("layers.0.up", 2L)
          .containsEntry("layers.1.up", 2L)
          .containsEntry("layers.1.up.n", 2L)
          .containsEntry("layers.1.up.w", 2L)
          .containsEntry("layers.0.grad.reduce-scatter.dp", 2L)
          .containsEntry("layers.0.grad.reduce-scatter.dp.accumulate", 1L)
          .containsEntry("layers.1.grad.reduce-scatter.dp.accumulate", 1L);
      assertThat(counts(stage(stage, 2, "global_batch: 8, schedule: dualpipe")))
          .containsEntry("layers.0.grad.all-reduce.dp", 1L)
          .containsEntry("layers.1.grad.all-reduce.dp", 1L)
          .containsEntry("layers.1.grad.all-reduce.pp.copies", 1L);
    }
  }

  @Test
  void partsOfABackwardPassAreCountedAsOften() {
    assertThat(counts(stage(1, 2, "global_batch: 6, schedule: zero-bubble")))
        .containsEntry("head.up.n", 3L)
        .containsEntry("head.up.w", 3L)
        .containsEntry("head.grad.all-reduce.dp", 1L);
  }

  /** Micro-batches 0 and 1 run through chunk 0, 2 and 3 through chunk 1. */
  @Test
  void whatComesWithAMicroBatchDependsOnItsChunk() {
    StepPlan plan = stage(0, 2, "global_batch: 8, schedule: dualpipe");
    assertThat(plan.comes(Moment.AFTER_LATER_BACKWARD, 0, 0)).isFalse();
    assertThat(plan.comes(Moment.AFTER_LATER_BACKWARD, 0, 1)).isTrue();
    assertThat(plan.comes(Moment.AFTER_LATER_BACKWARD, 1, 2)).isFalse();
    assertThat(plan.comes(Moment.AFTER_LATER_BACKWARD, 1, 3)).isTrue();
    assertThat(plan.comes(Moment.AFTER_LAST_BACKWARD, 0, 0)).isFalse();
    assertThat(plan.comes(Moment.AFTER_LAST_BACKWARD, 0, 1)).isTrue();
    assertThat(plan.comes(Moment.AFTER_LAST_BACKWARD, 1, 2)).isFalse();
    assertThat(plan.comes(Moment.AFTER_LAST_BACKWARD, 1, 3)).isTrue();
    assertThat(plan.comes(Moment.FORWARD, 1, 2)).isTrue();
  }

  @Test
  void turnsAreThoseOfTheStage() {
    String gpipe = "global_batch: 4, schedule: gpipe";
    assertThat(stage(0, 2, gpipe).turns()).hasToString("[F0, F1, B0, B1]");
    assertThat(stage(0, 2, "global_batch: 6").turns()).hasToString("[F0, F1, B0, F2, B1, B2]");
    assertThat(stage(1, 2, "global_batch: 6").turns()).hasToString("[F0, B0, F1, B1, F2, B2]");
  }

  @Test
  void aSlotHasTheActionsOfItsPassAndChunk() {
    StepPlan plan = stage(0, 4, "global_batch: 4, schedule: interleaved, virtual_stages: 2");
    assertThat(Units.placedNames(plan.pass(new Slot(Pass.FORWARD, 1, 1))))
        .containsExactly("recv.forward", "layers.2.norm", "layers.2.up", "send.forward");
    assertThat(plan.pass(new Slot(Pass.WEIGHT_GRADIENTS, 1, 1))).isEmpty();
  }

  @Test
  void unitsAreNumberedOverAllChunks() {
    StepPlan plan = stage(0, 4, "global_batch: 4, schedule: interleaved, virtual_stages: 2");
    assertThat(plan.chunks().stream().map(StepPlan.Chunk::index)).containsExactly(0, 1);
    assertThat(plan.chunks().get(0).unitIndices()).containsExactly(0, 1);
    assertThat(plan.chunks().get(1).unitIndices()).containsExactly(2);
    assertThat(plan.units()).hasSize(3);
    assertThat(plan.units().stream().map(StepPlan.Unit::isLayer).toList())
        .isEqualTo(List.of(false, true, true));
  }
}
