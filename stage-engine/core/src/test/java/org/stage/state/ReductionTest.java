package org.stage.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.stage.state.StateTexts.DP4;
import static org.stage.state.StateTexts.reduction;
import static org.stage.state.StateTexts.text;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.stage.api.workload.Group;
import org.stage.api.workload.Node.Collective;
import org.stage.api.workload.SubAxis;

class ReductionTest {
  @Test
  void wholeGradientsAreReducedWhereTheyLie() {
    assertThat(text(reduction(DP4, "w 10, v 3").onWhole(Moment.AFTER_PASSES, ".copies")))
        .isEqualTo(
            "REDUCE grad.all-reduce.dp.copies at AFTER_PASSES: "
                + "all-reduce of 13 fp32 over dp(1)4 of w v");
  }

  @Test
  void itsNameSaysTheCollectiveAndTheAxes() {
    Group two = new Group.Along(List.of(new SubAxis("dp", 1, 2), new SubAxis("cp", 1, 2)));
    assertThat(Reduction.name(Collective.Kind.REDUCE_SCATTER, two))
        .isEqualTo("grad.reduce-scatter.dp+cp");
  }

  @Test
  void twoShareWhereOneParameterIsInBoth() {
    Reduction both = reduction(DP4, "w 10, v 3");
    assertThat(both.sharesWith(reduction(DP4, "u 1, v 3"))).isTrue();
    assertThat(both.sharesWith(reduction(DP4, "u 1"))).isFalse();
  }
}
