package org.stage.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Group;
import org.stage.api.workload.Node.Collective;
import org.stage.job.Job;
import org.stage.operator.OperatorRules;
import org.stage.parallel.PlacedUnit;
import org.stage.schedule.Pass;
import org.stage.state.GradientNorm;
import org.stage.state.StateAction;
import org.stage.state.Work;

/** Stages of toy modules: an embedding that nobody waits for, and layers and a head alike. */
class StepPlansTest {
  private static StepPlan stage(Job job, int stage) {
    return ToyJobs.toy(job).stepPlans().get(stage);
  }

  private static Job job(int layers, int pp, String training) {
    return ToyJobs.job(layers, "dp: 2, pp: " + pp, training);
  }

  /** Names of a pass, of messages and the first instruction of each module only. */
  private static List<String> pass(StepPlan plan, int chunk, Pass pass) {
    return plan.chunks().get(chunk).passes().getOrDefault(pass, List.of()).stream()
        .map(UnitAction::name)
        .filter(name -> name.matches(".*(ward|table|norm|table.w|up.n|up.w)"))
        .toList();
  }

  private static List<String> end(Job job, int stage) {
    return Units.placedNames(stage(job, stage).end());
  }

  @Test
  void aStageAloneHoldsAllModulesAndSendsNothing() {
    StepPlan plan = stage(job(2, 1, "global_batch: 2"), 0);
    assertThat(plan.units().stream().map(StepPlan.Unit::name))
        .containsExactly("embedding", "layers.0", "layers.1", "head");
    assertThat(pass(plan, 0, Pass.FORWARD))
        .containsExactly("embedding.table", "layers.0.norm", "layers.1.norm", "head.norm");
    assertThat(Units.placedNames(plan.chunks().get(0).passes().get(Pass.BACKWARD)))
        .containsExactly(
            "head.up.n",
            "head.up.w",
            "head.norm.x",
            "head.grad.all-reduce.dp",
            "layers.1.up.n",
            "layers.1.up.w",
            "layers.1.norm.x",
            "layers.1.grad.all-reduce.dp",
            "layers.0.up.n",
            "layers.0.up.w",
            "layers.0.norm.x",
            "layers.0.grad.all-reduce.dp",
            "embedding.table.w",
            "embedding.grad.all-reduce.dp");
  }

  @Test
  void theFirstTheMiddleAndTheLastStageSendAndReceiveTowardsTheirNeighbours() {
    Job job = job(3, 3, "global_batch: 2, schedule: gpipe");
    StepPlan first = stage(job, 0);
    assertThat(pass(first, 0, Pass.FORWARD))
        .containsExactly("embedding.table", "layers.0.norm", "send.forward");
    assertThat(pass(first, 0, Pass.BACKWARD))
        .containsExactly("recv.backward", "layers.0.up.n", "layers.0.up.w", "embedding.table.w");
    StepPlan middle = stage(job, 1);
    assertThat(pass(middle, 0, Pass.FORWARD))
        .containsExactly("recv.forward", "layers.1.norm", "send.forward");
    assertThat(pass(middle, 0, Pass.BACKWARD))
        .containsExactly("recv.backward", "layers.1.up.n", "layers.1.up.w", "send.backward");
    StepPlan last = stage(job, 2);
    assertThat(pass(last, 0, Pass.FORWARD))
        .containsExactly("recv.forward", "layers.2.norm", "head.norm");
    assertThat(pass(last, 0, Pass.BACKWARD))
        .containsExactly(
            "head.up.n", "head.up.w", "layers.2.up.n", "layers.2.up.w", "send.backward");
  }

  @Test
  void aStageHoldsTheLayersThatTheJobGivesIt() {
    Job job = job(5, 2, "global_batch: 2, layers_per_stage: [3, 2]");
    assertThat(stage(job, 0).units().stream().map(StepPlan.Unit::name))
        .containsExactly("embedding", "layers.0", "layers.1", "layers.2");
    assertThat(stage(job, 1).units().stream().map(StepPlan.Unit::name))
        .containsExactly("layers.3", "layers.4", "head");
  }

  @Test
  void messagesHaveTheSizeAndTypeOfWhatLayersPassOn() {
    StepPlan first = stage(job(2, 2, "global_batch: 2"), 0);
    List<UnitAction> forward = first.chunks().get(0).passes().get(Pass.FORWARD);
    assertThat(forward.get(forward.size() - 1).action().work())
        .isEqualTo(new Work.Message(Work.Message.Way.SEND, "pp", DataType.BF16, 8));
  }

  @Test
  void aStageHasThePassesOfItsSchedule() {
    for (String schedule : List.of("gpipe", "1f1b")) {
      assertThat(passes("schedule: " + schedule)).containsOnlyKeys(Pass.FORWARD, Pass.BACKWARD);
    }
    assertThat(passes("schedule: interleaved, virtual_stages: 2"))
        .containsOnlyKeys(Pass.FORWARD, Pass.BACKWARD);
    assertThat(passes("schedule: zero-bubble"))
        .containsOnlyKeys(Pass.FORWARD, Pass.INPUT_GRADIENTS, Pass.WEIGHT_GRADIENTS);
    assertThat(passes("schedule: dualpipe")).containsOnlyKeys(Pass.values());
  }

  private static Map<Pass, List<UnitAction>> passes(String schedule) {
    return stage(job(4, 2, "global_batch: 8, " + schedule), 0).chunks().get(0).passes();
  }

  @Test
  void zeroBubbleLeavesGradientsOfWeightsForLater() {
    StepPlan first = stage(job(2, 2, "global_batch: 4, schedule: zero-bubble"), 0);
    assertThat(pass(first, 0, Pass.INPUT_GRADIENTS))
        .containsExactly("recv.backward", "layers.0.up.n");
    assertThat(pass(first, 0, Pass.WEIGHT_GRADIENTS))
        .containsExactly("layers.0.up.w", "embedding.table.w");
  }

  /** Chunks 0 to 3 on ranks 0, 1, 0, 1: the last rank sends to the first. */
  @Test
  void interleavedChunksOfARankHaveMessagesOfTheirOwn() {
    Job job = job(4, 2, "global_batch: 4, schedule: interleaved, virtual_stages: 2");
    StepPlan first = stage(job, 0);
    assertThat(first.units().stream().map(StepPlan.Unit::name))
        .containsExactly("embedding", "layers.0", "layers.2");
    assertThat(first.chunks().get(1).unitIndices()).containsExactly(2);
    assertThat(first.chunks().get(1).position()).isEqualTo(2);
    assertThat(pass(first, 0, Pass.FORWARD))
        .containsExactly("embedding.table", "layers.0.norm", "send.forward");
    assertThat(pass(first, 1, Pass.FORWARD))
        .containsExactly("recv.forward", "layers.2.norm", "send.forward");
    StepPlan last = stage(job, 1);
    assertThat(pass(last, 0, Pass.FORWARD))
        .containsExactly("recv.forward", "layers.1.norm", "send.forward");
    assertThat(pass(last, 1, Pass.FORWARD))
        .containsExactly("recv.forward", "layers.3.norm", "head.norm");
    assertThat(last.chunks().get(1).passes().get(Pass.FORWARD).get(1).unit()).isEqualTo(1);
  }

  @Test
  void dualPipesRanksHoldBothEnds() {
    Job job = job(2, 2, "global_batch: 8, schedule: dualpipe");
    StepPlan first = stage(job, 0);
    assertThat(first.units().stream().map(StepPlan.Unit::name))
        .containsExactly("embedding", "layers.0", "layers.1", "head");
    assertThat(first.chunks().stream().map(StepPlan.Chunk::position)).containsExactly(0, 1);
    assertThat(stage(job, 1).units().stream().map(StepPlan.Unit::name))
        .containsExactly("layers.1", "head", "embedding", "layers.0");
    assertThat(pass(first, 1, Pass.FORWARD))
        .containsExactly("recv.forward", "layers.1.norm", "head.norm");
    assertThat(pass(first, 1, Pass.BACKWARD))
        .containsExactly(
            "head.up.n", "head.up.w", "layers.1.up.n", "layers.1.up.w", "send.backward");
  }

  @Test
  void parametersAreGatheredAsFarAheadAsTheJobSays() {
    for (int prefetch = 0; prefetch < 3; prefetch++) {
      StepPlan plan = stage(job(2, 1, "global_batch: 2, zero: 3, prefetch: " + prefetch), 0);
      assertThat(Units.placedNames(plan.chunks().get(0).passes().get(Pass.FORWARD)))
          .startsWith(
              List.of(
                      "embedding.parameters.all-gather",
                      "layers.0.parameters.all-gather",
                      "layers.1.parameters.all-gather")
                  .subList(0, prefetch + 1)
                  .toArray(String[]::new))
          .element(prefetch + 1)
          .isEqualTo("embedding.table");
    }
  }

  @Test
  void theUpdateOfAllModulesComesBeforeWhatItChangedIsGathered() {
    assertThat(end(job(2, 2, "global_batch: 2, zero: 1"), 1))
        .containsExactly(
            "layers.1.adam",
            "head.adam",
            "layers.1.parameters.all-gather",
            "head.parameters.all-gather");
  }

  @Test
  void anUpdateBelongsToItsModule() {
    assertThat(stage(job(2, 1, "global_batch: 2"), 0).end())
        .extracting(UnitAction::unit, UnitAction::place)
        .containsExactly(
            tuple(0, "embedding"), tuple(1, "layers.0"), tuple(2, "layers.1"), tuple(3, "head"));
  }

  @Test
  void theNormOfGradientsComesBeforeAnythingIsUpdated() {
    assertThat(end(job(2, 2, "global_batch: 2, grad_clip: true"), 1))
        .containsExactly(
            "layers.1.grad_norm",
            "head.grad_norm",
            "grad_norm.sum",
            "grad_norm.all-reduce",
            "layers.1.adam",
            "head.adam");
  }

  /** Half of 10 elements: 5 squares and sums of 32-bit gradients. */
  @Test
  void theNormIsOfTheGradientsThatARankUpdates() {
    UnitAction norm = stage(job(2, 1, "global_batch: 2, grad_clip: true, zero: 1"), 0).end().get(1);
    assertThat(norm.unit()).isEqualTo(1);
    assertThat(norm.action()).isEqualTo(GradientNorm.ofModule(5, DataType.FP32, 1));
  }

  /** Three in the middle, and one module is its own sum. */
  @Test
  void aStageOfOneModuleReducesItsNormAtOnce() {
    assertThat(end(job(3, 3, "global_batch: 2, grad_clip: true"), 1))
        .containsExactly("layers.1.grad_norm", "grad_norm.all-reduce", "layers.1.adam");
  }

  @Test
  void aModuleThatUpdatesNothingAddsNothingToTheNorm() {
    Job job = job(2, 1, "global_batch: 2, grad_clip: true");
    JobPlan toy = ToyJobs.toy(job);
    UnitPlan none =
        UnitPlan.of(
            new PlacedUnit(Units.FORWARD, Units.BACKWARD, List.of(), Map.of(), Map.of()),
            Units.NUMBERS,
            Units.how(0));
    JobPlan plan =
        new JobPlan(
            job, OperatorRules.standard(), toy.embedding(), toy.layers(), toy.experts(), none);
    assertThat(Units.placedNames(plan.stepPlans().get(0).end()))
        .containsExactly(
            "embedding.grad_norm",
            "layers.0.grad_norm",
            "layers.1.grad_norm",
            "grad_norm.sum",
            "grad_norm.all-reduce",
            "embedding.adam",
            "layers.0.adam",
            "layers.1.adam");
  }

  @Test
  void aTiedTableIsAddedUpBetweenItsTwoStages() {
    Job job = job(3, 3, "tied, global_batch: 2");
    assertThat(end(job, 0)).startsWith("tied.all-reduce", "embedding.adam");
    assertThat(end(job, 1)).containsExactly("layers.1.adam");
    assertThat(end(job, 2)).startsWith("tied.all-reduce", "layers.2.adam");
    UnitAction first = stage(job, 0).end().get(0);
    UnitAction last = stage(job, 2).end().get(0);
    assertThat(first.unit()).isZero();
    assertThat(last.unit()).isEqualTo(1);
    assertThat(((StateAction) first.action()).parameters()).containsExactly("weight");
    // The toy embedding has no parameter of that name.
    assertThat(first.action().work())
        .isEqualTo(
            new Work.Transfer(
                Collective.Kind.ALL_REDUCE,
                new Group.Members("pp", List.of(0, 2)),
                DataType.FP32,
                0));
    assertThat(last.action()).isEqualTo(first.action());
  }

  /** Of a vocabulary of 16 and width 8. */
  @Test
  void theFirstAndTheLastModuleHaveTheTableOfAModel() {
    Job job = job(2, 2, "tied, global_batch: 2, vocab_multiple: 1");
    for (StepPlan plan : ToyJobs.real(job).stepPlans()) {
      assertThat(plan.end().stream().map(each -> each.action().key()))
          .contains("tied.all-reduce#128");
    }
  }

  @Test
  void aTableIsAddedUpOnlyWhereTwoStagesHoldIt() {
    assertThat(end(job(2, 1, "tied, global_batch: 2"), 0)).startsWith("embedding.adam");
    assertThat(end(job(2, 2, "global_batch: 2"), 0)).startsWith("embedding.adam");
    assertThat(end(job(2, 2, "tied, global_batch: 8, schedule: dualpipe"), 0))
        .doesNotContain("tied.all-reduce");
  }

  private static final String COPIES = "grad.all-reduce.pp.copies";

  /** By position in the model, so that both ranks of a pair wait in one order. */
  @Test
  void copiesAreAddedUpInTheOrderOfTheModel() {
    Job job = job(2, 2, "global_batch: 8, schedule: dualpipe, grad_clip: true");
    List<String> copies =
        List.of(
            "embedding." + COPIES, "layers.0." + COPIES, "layers.1." + COPIES, "head." + COPIES);
    assertThat(behindReductions(job, 0).subList(0, 5))
        .containsExactly(
            copies.get(0), copies.get(1), copies.get(2), copies.get(3), "embedding.grad_norm");
    assertThat(behindReductions(job, 1).subList(0, 5))
        .containsExactly(
            copies.get(0), copies.get(1), copies.get(2), copies.get(3), "layers.1.grad_norm");
    // Updates come in the order of the stage.
    assertThat(end(job, 1))
        .endsWith("layers.1.adam", "head.adam", "embedding.adam", "layers.0.adam");
  }

  /** The end of a step but for what is reduced over replicas. */
  private static List<String> behindReductions(Job job, int stage) {
    return end(job, stage).stream().filter(name -> !name.endsWith("grad.all-reduce.dp")).toList();
  }

  private static UnitAction firstCopy(StepPlan stage) {
    return stage.end().stream().filter(each -> each.name().endsWith(COPIES)).findFirst().get();
  }

  @Test
  void copiesOfAModuleLieOnARankAndItsMirrorImage() {
    Job job = job(4, 4, "global_batch: 16, schedule: dualpipe");
    for (int stage = 0; stage < 4; stage++) {
      List<Integer> pair = stage == 0 || stage == 3 ? List.of(0, 3) : List.of(1, 2);
      assertThat(firstCopy(stage(job, stage)).action().work())
          .isEqualTo(
              new Work.Transfer(
                  Collective.Kind.ALL_REDUCE, new Group.Members("pp", pair), DataType.FP32, 10));
    }
    assertThat(firstCopy(stage(job, 1)).unit()).isZero();
    assertThat(firstCopy(stage(job, 2)).unit()).isEqualTo(1);
  }
}
