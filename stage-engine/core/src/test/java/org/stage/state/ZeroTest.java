package org.stage.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.stage.state.StateTexts.DP4;
import static org.stage.state.StateTexts.TP2;
import static org.stage.state.StateTexts.along;
import static org.stage.state.StateTexts.parameters;
import static org.stage.state.StateTexts.reduction;
import static org.stage.state.StateTexts.states;
import static org.stage.state.StateTexts.texts;
import static org.stage.state.StateTexts.zero;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.stage.job.GradientReduction;
import org.stage.job.GradientReduction.When;
import org.stage.job.ParameterGathering;
import org.stage.job.Shardings;
import org.stage.job.StateSharding;

/** A module of {@code w 10, v 3}: 13 elements, and 16 with what pads them for 4 ranks. */
class ZeroTest {
  private static final String FIRST_GATHER =
      "GATHER parameters.all-gather at BEFORE_FORWARD: "
          + "all-gather of 4 bf16 over dp(1)4 in parameters of w v";
  private static final String SECOND_GATHER =
      "GATHER parameters.all-gather.backward at BEFORE_BACKWARD: "
          + "all-gather of 4 bf16 over dp(1)4 in parameters of w v";
  private static final String LAST_GATHER =
      "GATHER parameters.all-gather at AFTER_UPDATE: "
          + "all-gather of 4 bf16 over dp(1)4 in parameters of w v";
  private static final String SCATTER =
      "SCATTER_AND_FREE grad.reduce-scatter.dp at AFTER_BACKWARD: "
          + "reduce-scatter of 16 fp32 over dp(1)4 in parameters of w v";
  private static final String ACCUMULATE =
      "ACCUMULATE grad.reduce-scatter.dp.accumulate at AFTER_LATER_BACKWARD: "
          + "add 4 operations, 32 read, 16 written in parameters";
  private static final String SHARD_UPDATE =
      "UPDATE adam at UPDATE: adam 48 operations, 64 read, 56 written";

  /** A reduction of v inside a replica, over tp. */
  private static final List<Reduction> INSIDE = List.of(reduction(TP2, "v 3"));

  private static final String INSIDE_WHOLE =
      "REDUCE grad.all-reduce.tp at AFTER_REDUCTION: all-reduce of 3 fp32 over tp(1)2 of v";

  @Test
  void stage0ReducesAndUpdatesAll() {
    assertThat(texts(states(zero(0))))
        .containsExactly(
            "REDUCE grad.all-reduce.dp at AFTER_LAST_BACKWARD: "
                + "all-reduce of 13 fp32 over dp(1)4 of w v",
            "UPDATE adam at UPDATE: adam 156 operations, 208 read, 182 written");
  }

  @Test
  void stage1ScattersOnceAndGathersWhatItUpdated() {
    assertThat(texts(states(zero(1))))
        .containsExactly(
            "SCATTER grad.reduce-scatter.dp at AFTER_LAST_BACKWARD: "
                + "reduce-scatter of 16 fp32 over dp(1)4 in parameters of w v",
            SHARD_UPDATE,
            LAST_GATHER);
  }

  @Test
  void stage2ScattersEveryMicroBatchAndAddsUpShards() {
    assertThat(texts(states(zero(2))))
        .containsExactly(SCATTER, ACCUMULATE, SHARD_UPDATE, LAST_GATHER);
  }

  @Test
  void stage3GathersBeforeEachPassAndNotBehindTheUpdate() {
    assertThat(texts(states(zero(3))))
        .containsExactly(FIRST_GATHER, SECOND_GATHER, SCATTER, ACCUMULATE, SHARD_UPDATE);
  }

  @Test
  void stage3MayKeepWhatItGathered() {
    ModuleStates once =
        ModuleStates.of(
            parameters("w 10, v 3"),
            List.of(),
            List.of(reduction(DP4, "w 10, v 3")),
            zero(3),
            false,
            StateTexts.ADAM);
    assertThat(texts(once)).containsExactly(FIRST_GATHER, SCATTER, ACCUMULATE, SHARD_UPDATE);
  }

  @Test
  void wholeGradientsAreReducedInsideAReplicaLast() {
    assertThat(texts(states(zero(0), INSIDE)))
        .startsWith(
            "REDUCE grad.all-reduce.dp at AFTER_LAST_BACKWARD: "
                + "all-reduce of 13 fp32 over dp(1)4 of w v",
            INSIDE_WHOLE);
    assertThat(texts(states(zero(1), INSIDE)))
        .startsWith(
            "SCATTER grad.reduce-scatter.dp at AFTER_LAST_BACKWARD: "
                + "reduce-scatter of 16 fp32 over dp(1)4 in parameters of w v",
            INSIDE_WHOLE);
  }

  private static Zero exchanging(
      int stage, GradientReduction gradients, ParameterGathering gathering) {
    return new Zero(stage, 4, 4, gradients, gathering, StateTexts.MIXED);
  }

  @Test
  void withoutOverlapGradientsAreReducedBehindAllPasses() {
    for (int stage = 0; stage < 2; stage++) {
      Zero atEnd = exchanging(stage, Shardings.atEnd(0), Shardings.GATHERED);
      assertThat(states(atEnd, INSIDE).actions())
          .extracting(StateAction::moment)
          .startsWith(Moment.AFTER_PASSES, Moment.AFTER_REDUCTION, Moment.UPDATE);
    }
  }

  @Test
  void withoutOverlapNothingIsComputedWhileAMicroBatchsGradientsAreScattered() {
    assertThat(texts(states(exchanging(2, Shardings.atEnd(0), Shardings.GATHERED))))
        .startsWith(SCATTER.replace("AFTER_BACKWARD", "AFTER_BACKWARD_ALONE"), ACCUMULATE);
  }

  @Test
  void whatTheLastStepUpdatedIsGatheredBeforeTheFirstForwardPassIfThatOverlaps() {
    ParameterGathering overlapping =
        new ParameterGathering(true, 1, StateSharding.Regather.LAYERS, 0);
    assertThat(texts(states(exchanging(1, Shardings.atOnce(0), overlapping))))
        .endsWith(SHARD_UPDATE, LAST_GATHER.replace("AFTER_UPDATE", "BEFORE_FIRST_FORWARD"));
  }

  /** An all-reduce of all 16 elements, of which each rank keeps 4. */
  @Test
  void gradientsMayBeReducedWholeOfWhichAShardIsKept() {
    Zero whole = exchanging(2, new GradientReduction(When.AT_ONCE, 0, true), Shardings.GATHERED);
    assertThat(texts(states(whole)))
        .containsExactly(
            SCATTER.replace("reduce-scatter", "all-reduce"),
            ACCUMULATE.replace("reduce-scatter", "all-reduce"),
            SHARD_UPDATE,
            LAST_GATHER);
  }

  /** Of w, 10 elements, 3 a rank; and of v, 3 elements, 1 a rank. */
  @Test
  void smallParametersStayWholeBetweenSteps() {
    ParameterGathering persistent =
        new ParameterGathering(true, 1, StateSharding.Regather.LAYERS, 10);
    ModuleStates states = states(exchanging(3, Shardings.atOnce(0), persistent));
    assertThat(texts(states))
        .containsExactly(
            FIRST_GATHER.replace("of 4", "of 3").replace("w v", "w"),
            SECOND_GATHER.replace("of 4", "of 3").replace("w v", "w"),
            SCATTER,
            ACCUMULATE,
            SHARD_UPDATE,
            LAST_GATHER.replace("of 4", "of 1").replace("w v", "v"));
    assertThat(states.held()).isEqualTo(4 + 3 - 1);
    assertThat(states.gathered()).isEqualTo(10);
  }

  /** One of the 3 elements of v on each of 4 ranks. */
  @Test
  void scatteredGradientsAreReducedInsideAReplicaOnTheirShard() {
    assertThat(texts(states(zero(2), INSIDE)))
        .containsExactly(
            SCATTER,
            ACCUMULATE,
            "REDUCE_SHARD grad.all-reduce.tp at AFTER_LAST_BACKWARD: "
                + "all-reduce of 1 fp32 over tp(1)2 in parameters",
            SHARD_UPDATE,
            LAST_GATHER);
  }

  @Test
  void gradientsThatNoReplicaReducesAreReducedWhole() {
    ModuleStates states =
        ModuleStates.of(
            parameters("w 10, u 5"),
            List.of(reduction(TP2, "u 5")),
            List.of(reduction(DP4, "w 10")),
            zero(2),
            true,
            StateTexts.ADAM);
    assertThat(texts(states))
        .containsExactly(
            SCATTER.replace("16", "12").replace("w v", "w"),
            ACCUMULATE.replace("add 4 operations, 32 read, 16", "add 3 operations, 24 read, 12"),
            "REDUCE grad.all-reduce.tp at AFTER_REDUCTION: "
                + "all-reduce of 5 fp32 over tp(1)2 of u",
            SHARD_UPDATE.replace("48 operations, 64 read, 56", "96 operations, 128 read, 112"),
            LAST_GATHER.replace("of 4", "of 3").replace("w v", "w"));
  }

  @Test
  void reductionsAreCutIntoBuckets() {
    assertThat(texts(states(zero(0, 4, 6))))
        .startsWith(
            "REDUCE grad.all-reduce.dp at AFTER_LAST_BACKWARD: "
                + "all-reduce of 6 fp32 over dp(1)4 of w",
            "REDUCE grad.all-reduce.dp at AFTER_LAST_BACKWARD: "
                + "all-reduce of 6 fp32 over dp(1)4 of w v",
            "REDUCE grad.all-reduce.dp at AFTER_LAST_BACKWARD: "
                + "all-reduce of 1 fp32 over dp(1)4 of v");
  }

  /** Of 13 elements, 12 can be shared out among 4 ranks; 4 are left, with what pads them. */
  @Test
  void stage1ScattersInBuckets() {
    assertThat(texts(states(zero(1, 4, 13))))
        .startsWith(
            "SCATTER grad.reduce-scatter.dp at AFTER_LAST_BACKWARD: "
                + "reduce-scatter of 12 fp32 over dp(1)4 in parameters of w v",
            "SCATTER grad.reduce-scatter.dp at AFTER_LAST_BACKWARD: "
                + "reduce-scatter of 4 fp32 over dp(1)4 in parameters of v");
  }

  @Test
  void stage2ScattersWholeWhateverTheBuckets() {
    assertThat(states(zero(2, 4, 6))).isEqualTo(states(zero(2)));
  }

  /** Two neighbours share 7 elements each; their likes in the other pair hold the same. */
  @Test
  void hybridShardsAreReducedOverTheirCopies() {
    String update = "UPDATE adam at UPDATE: adam 84 operations, 112 read, 98 written";
    String gather =
        "GATHER parameters.all-gather at AFTER_UPDATE: "
            + "all-gather of 7 bf16 over dp(2)2 in parameters of w v";
    String copies =
        "REDUCE_SHARD grad.all-reduce.dp at AFTER_LAST_BACKWARD: "
            + "all-reduce of 7 fp32 over dp(1)2 in parameters";
    assertThat(texts(states(zero(1, 2, 0))))
        .containsExactly(
            "SCATTER grad.reduce-scatter.dp at AFTER_LAST_BACKWARD: "
                + "reduce-scatter of 14 fp32 over dp(2)2 in parameters of w v",
            copies,
            update,
            gather);
    assertThat(texts(states(zero(2, 2, 0), INSIDE)))
        .containsExactly(
            "SCATTER_AND_FREE grad.reduce-scatter.dp at AFTER_BACKWARD: "
                + "reduce-scatter of 14 fp32 over dp(2)2 in parameters of w v",
            "ACCUMULATE grad.reduce-scatter.dp.accumulate at AFTER_LATER_BACKWARD: "
                + "add 7 operations, 56 read, 28 written in parameters",
            "REDUCE_SHARD grad.all-reduce.tp at AFTER_LAST_BACKWARD: "
                + "all-reduce of 2 fp32 over tp(1)2 in parameters",
            copies,
            update,
            gather);
  }

  /** A bucket of 5 elements is one of 4 for 2 sharers. */
  @Test
  void hybridBucketsAreMultiplesOfThoseWhoShare() {
    List<StateAction> last = states(zero(1, 2, 5)).at(Moment.AFTER_LAST_BACKWARD);
    assertThat(last.stream().map(Action::key))
        .containsExactly(
            "grad.reduce-scatter.dp#4",
            "grad.reduce-scatter.dp#4",
            "grad.reduce-scatter.dp#4",
            "grad.reduce-scatter.dp#2",
            "grad.all-reduce.dp#7");
  }

  @Test
  void expertsLieInABufferOfTheirOwn() {
    ModuleStates states =
        ModuleStates.of(
            parameters("w 10, e 8, f 3"),
            List.of(reduction(TP2, "w 10")),
            List.of(
                reduction(DP4, "w 10"),
                reduction(along("dp", 1, 2), "e 8"),
                reduction(along("ep", 1, 2), "f 3")),
            zero(2),
            true,
            StateTexts.ADAM);
    assertThat(states.buffers().stream().map(FlatBuffer::name))
        .containsExactly("parameters", "expert_parameters", "expert_parameters_2");
    assertThat(states.buffers().stream().map(FlatBuffer::shard)).containsExactly(3L, 4L, 2L);
    assertThat(states.buffers().get(1).parameters()).containsExactly("e");
    assertThat(states.actions().stream().map(Action::key))
        .containsExactly(
            "grad.reduce-scatter.dp#12",
            "grad.reduce-scatter.dp.accumulate",
            "grad.reduce-scatter.dp#8",
            "grad.reduce-scatter.dp.accumulate",
            "grad.reduce-scatter.ep#4",
            "grad.reduce-scatter.ep.accumulate",
            // Only of the buffer that w lies in.
            "grad.all-reduce.tp#3",
            "adam",
            "parameters.all-gather#3",
            "expert_parameters.all-gather#4",
            "expert_parameters_2.all-gather#2");
  }
}
