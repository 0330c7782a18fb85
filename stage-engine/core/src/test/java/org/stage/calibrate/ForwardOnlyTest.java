package org.stage.calibrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.stage.api.profile.MeasuredOperator;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.profile.OperatorShape;
import org.stage.api.profile.OperatorWork;
import org.stage.api.profile.Profile;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Phase;
import org.stage.operator.OperatorRules;
import org.stage.sim.cost.AttentionEfficiency;

/** Backward passes of which a profile has the forward pass only. */
class ForwardOnlyTest {
  private static final MatrixShape HEADS = new MatrixShape(32, 4096, 4096, 128);

  @Test
  void attentionTakesThreeTimesAsLongBackward() {
    // 2.5 times the FLOPs, at 1 / 1.2 of the efficiency
    Match match =
        matcher("NVIDIA H100", attention(HEADS, Phase.FORWARD, 1_242_000)).match(back(HEADS));
    assertThat(match.level()).isEqualTo(Level.SCALED);
    assertThat(match.ns()).isCloseTo(3_726_000, within(1.0));
  }

  @Test
  void attentionWithNarrowValuesByItsOwnFlops() {
    MatrixShape latent = new MatrixShape(16, 4096, 4096, 192, 128);
    // (3 x 192 + 2 x 128) / (192 + 128) = 2.6, on A100 at 1 / 1.16 of the efficiency
    Match match =
        matcher("NVIDIA A100-SXM4-80GB", attention(latent, Phase.FORWARD, 1_000_000))
            .match(back(latent));
    assertThat(match.ns()).isCloseTo(2.6 * 1.16 * 1_000_000, within(1.0));
  }

  @Test
  void theRatioThatTheProfileHasAtAnotherSizeGoesFirst() {
    MatrixShape small = new MatrixShape(4, 256, 256, 128);
    Match match =
        matcher(
                "NVIDIA H100",
                attention(HEADS, Phase.FORWARD, 1_000_000),
                attention(small, Phase.FORWARD, 10_000),
                attention(small, Phase.BACKWARD, 40_000))
            .match(back(HEADS));
    assertThat(match.ns()).isCloseTo(4_000_000, within(1.0));
  }

  @Test
  void normsMoveOneAndAHalfTimesTheBytesBackward() {
    MeasuredOperator norm =
        new MeasuredOperator(
            OperatorWork.builder(Kind.NORM, "aten::native_layer_norm")
                .phase(Phase.FORWARD)
                .shape(OperatorShape.ofElements(1 << 24))
                .dataType("bf16")
                .build(),
            Profiled.runs(30_000),
            0);
    ProfileWork.Size size = ProfileWork.Size.ofComputation(MatrixShape.NONE, "bf16", 2, 1 << 24);
    ProfileWork backward =
        new ProfileWork("x", Kind.NORM, "norm_grad", true, size, ProfileWork.Cost.NONE, 1);
    assertThat(matcher("", norm).match(backward).ns()).isCloseTo(45_000, within(1e-6));
  }

  @Test
  void aDeviceOfWhichNothingIsKnownIsAsTheTraceOfATrainingRun() {
    assertThat(AttentionEfficiency.forwardOverBackward("")).isEqualTo(1.2);
    assertThat(AttentionEfficiency.forwardOverBackward("NVIDIA A100")).isEqualTo(1.16);
  }

  private static MeasuredOperator attention(MatrixShape shape, Phase phase, long ns) {
    return new MeasuredOperator(
        OperatorWork.builder(Kind.ATTENTION, "flash")
            .phase(phase)
            .shape(OperatorShape.of(shape))
            .dataType("bf16")
            .build(),
        Profiled.runs(ns),
        0);
  }

  private static ProfileWork back(MatrixShape shape) {
    ProfileWork.Size size = ProfileWork.Size.ofComputation(shape, "bf16", 2, 0);
    return new ProfileWork("x", Kind.ATTENTION, "a", true, size, ProfileWork.Cost.NONE, 1);
  }

  private static KernelMatcher matcher(String device, MeasuredOperator... operators) {
    Profile profile = Profiled.of(0, operators);
    return new KernelMatcher(Samples.of(List.of(profile), 2), OperatorRules.standard(), device);
  }
}
