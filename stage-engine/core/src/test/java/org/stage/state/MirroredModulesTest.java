package org.stage.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.stage.state.StateTexts.DP4;
import static org.stage.state.StateTexts.parameters;
import static org.stage.state.StateTexts.reduction;
import static org.stage.state.StateTexts.states;
import static org.stage.state.StateTexts.texts;
import static org.stage.state.StateTexts.zero;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.stage.api.workload.Group;

/** A module of {@code w 10, v 3} on 4 data-parallel ranks, and its copy on another stage. */
class MirroredModulesTest {
  private static final String WHOLE =
      "REDUCE grad.all-reduce.pp.copies at AFTER_REDUCTION: all-reduce of %d fp32 over pp[1, 2] of %s";
  private static final String SHARD =
      "REDUCE_SHARD grad.all-reduce.pp.copies at AFTER_REDUCTION: "
          + "all-reduce of %d fp32 over pp[1, 2] in parameters";

  private static List<String> reductions(ModuleStates states, Zero zero) {
    return texts(MirroredModules.reductions(states, new Group.Members("pp", List.of(1, 2)), zero));
  }

  @Test
  void withoutScatteringWholeGradientsAreAddedUp() {
    assertThat(reductions(states(zero(0)), zero(0))).containsExactly(WHOLE.formatted(13, "w v"));
  }

  @Test
  void wholeGradientsAreCutIntoBuckets() {
    Zero zero = zero(0, 4, 6);
    assertThat(reductions(states(zero), zero))
        .containsExactly(
            WHOLE.formatted(6, "w"), WHOLE.formatted(6, "w v"), WHOLE.formatted(1, "v"));
  }

  /** Each of the 4 ranks has 4 of the 13 elements, with what pads them. */
  @Test
  void scatteredGradientsAreAddedUpInShards() {
    for (int stage = 1; stage <= 3; stage++) {
      assertThat(reductions(states(zero(stage)), zero(stage))).containsExactly(SHARD.formatted(4));
    }
  }

  /** Buckets of 8 of 16 elements leave 2 on each of 4 ranks. */
  @Test
  void shardsAreAddedUpAsBucketsWereScattered() {
    Zero zero = zero(1, 4, 11);
    assertThat(reductions(states(zero), zero))
        .containsExactly(SHARD.formatted(2), SHARD.formatted(2));
  }

  @Test
  void whatIsNotScatteredBesideScatteredGradientsIsAddedUpWhole() {
    ModuleStates states =
        ModuleStates.of(
            parameters("w 10, u 5"),
            List.of(),
            List.of(reduction(DP4, "w 10")),
            zero(1),
            true,
            StateTexts.ADAM);
    assertThat(reductions(states, zero(1)))
        .containsExactly(SHARD.formatted(3), WHOLE.formatted(5, "u"));
  }

  @Test
  void aModuleWithoutParametersAddsUpNothing() {
    ModuleStates none =
        ModuleStates.of(parameters("w 0"), List.of(), List.of(), zero(0), true, StateTexts.ADAM);
    assertThat(reductions(none, zero(0))).isEmpty();
  }
}
