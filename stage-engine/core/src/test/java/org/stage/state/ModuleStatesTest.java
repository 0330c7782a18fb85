package org.stage.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.stage.state.StateTexts.DP4;
import static org.stage.state.StateTexts.MIXED;
import static org.stage.state.StateTexts.TP2;
import static org.stage.state.StateTexts.parameters;
import static org.stage.state.StateTexts.reduction;
import static org.stage.state.StateTexts.states;
import static org.stage.state.StateTexts.zero;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.stage.job.GradientReduction;
import org.stage.job.Optimizer;
import org.stage.job.Shardings;

class ModuleStatesTest {
  /** As stage 3 has them, whose parameters are gathered twice, or once. */
  private static ModuleStates gathered(boolean twice) {
    return ModuleStates.of(
        parameters("w 10"),
        List.of(reduction(TP2, "w 10")),
        List.of(reduction(DP4, "w 10")),
        zero(3),
        twice,
        StateTexts.ADAM);
  }

  @Test
  void whatIsNotShardedIsUpdatedWhole() {
    ModuleStates states = states(zero(0));
    assertThat(states.elements()).isEqualTo(13);
    assertThat(states.updated()).isEqualTo(13);
    assertThat(states.buffers()).isEmpty();
    assertThat(states.update()).isEqualTo(OptimizerCost.of(Optimizer.Kind.ADAM, MIXED, 13));
  }

  @Test
  void aRankUpdatesItsShard() {
    ModuleStates states = states(zero(1));
    assertThat(states.elements()).isEqualTo(13);
    assertThat(states.updated()).isEqualTo(4);
    assertThat(states.update()).isEqualTo(OptimizerCost.of(Optimizer.Kind.ADAM, MIXED, 4));
  }

  @Test
  void besideItsShardARankUpdatesWhatIsNotSharded() {
    ModuleStates states =
        ModuleStates.of(
            parameters("w 10, u 5"),
            List.of(),
            List.of(reduction(DP4, "w 10")),
            zero(1),
            true,
            StateTexts.ADAM);
    assertThat(states.updated()).isEqualTo(3 + 5);
  }

  @Test
  void aModuleWithoutParametersDoesNothing() {
    ModuleStates none =
        ModuleStates.of(Map.of(), List.of(), List.of(), zero(1), true, StateTexts.ADAM);
    assertThat(none.updated()).isZero();
    assertThat(none.actions()).isEmpty();
  }

  @Test
  void statesGoToHostMemoryAsTheUpdateSays() {
    ModuleStates offloaded =
        ModuleStates.of(
            parameters("w 10"),
            List.of(),
            List.of(),
            zero(0),
            true,
            new ParameterUpdate(Optimizer.Kind.SGD, true));
    assertThat(offloaded.at(Moment.UPDATE).stream().map(StateAction::name))
        .containsExactly("sgd.reload", "sgd", "sgd.offload");
  }

  @Test
  void aMicroBatchsGradientsAreScatteredAndAddedUpWhenTheyAreComplete() {
    assertThat(gathered(true).ofCompleteGradients().map(StateAction::moment))
        .containsExactly(Moment.AFTER_BACKWARD, Moment.AFTER_LATER_BACKWARD);
  }

  @Test
  void actionsAreFoundByTheirMoment() {
    assertThat(gathered(true).at(Moment.BEFORE_FORWARD).stream().map(StateAction::name))
        .containsExactly("parameters.all-gather");
    assertThat(gathered(true).at(Moment.AFTER_UPDATE)).isEmpty();
  }

  @Test
  void onlyStages2And3ScatterEachBackward() {
    assertThat(states(zero(0)).scattersEachBackward()).isFalse();
    assertThat(states(zero(1)).scattersEachBackward()).isFalse();
    assertThat(states(zero(2)).scattersEachBackward()).isTrue();
    assertThat(states(zero(3)).scattersEachBackward()).isTrue();
  }

  @Test
  void eachBackwardScattersWhatOtherRanksHoldTooWhetherOrNotAnythingIsComputedMeanwhile() {
    for (GradientReduction when : List.of(Shardings.atOnce(0), Shardings.atEnd(0))) {
      ModuleStates states =
          ModuleStates.of(
              parameters("w 10, u 5"),
              List.of(),
              List.of(reduction(DP4, "w 10")),
              new Zero(2, 4, 4, when, Shardings.GATHERED, MIXED),
              true,
              StateTexts.ADAM);
      assertThat(states.scattersEachBackward("w")).isTrue();
      assertThat(states.scattersEachBackward("u")).isFalse();
    }
  }

  @Test
  void parametersAreGatheredOnceOrTwiceOrStay() {
    assertThat(gathered(true).gathersTwice()).isTrue();
    assertThat(gathered(true).keepsGathered()).isFalse();
    assertThat(gathered(false).gathersTwice()).isFalse();
    assertThat(gathered(false).keepsGathered()).isTrue();
    assertThat(states(zero(2)).gathersTwice()).isFalse();
    assertThat(states(zero(2)).keepsGathered()).isFalse();
  }

  @Test
  void parametersKeepTheirOrderAndCannotBeChangedLater() {
    Map<String, Long> parameters = new LinkedHashMap<>(parameters("z 1, a 2, m 3"));
    ModuleStates states =
        ModuleStates.of(parameters, List.of(), List.of(), zero(0), true, StateTexts.ADAM);
    parameters.clear();
    assertThat(states.parameters().keySet()).containsExactly("z", "a", "m");
  }
}
