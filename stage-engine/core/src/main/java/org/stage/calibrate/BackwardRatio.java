package org.stage.calibrate;

import java.util.List;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.sim.cost.AttentionEfficiency;

/**
 * How many times as long as its forward pass a backward pass takes, of kinds whose backward pass is
 * other work: where a profile has the forward pass only.
 *
 * <p>Attention: the FLOPs of both, 2.5 times as many where values are as wide as keys, times the
 * ratio of the efficiencies of both, measured where the profile has both passes of one size, else
 * that of such devices. Norms: bytes, of which the forward pass reads and writes what it
 * normalises, and the backward pass reads as much twice and writes it once.
 */
final class BackwardRatio {
  private static final double OF_NORMS = 1.5;

  private final double efficiency;

  BackwardRatio(List<Sample> samples, String device) {
    double[] measured =
        samples.stream()
            .filter(each -> each.kind() == Kind.ATTENTION && each.key().backward())
            .filter(each -> each.size().hasProducts())
            .flatMapToDouble(
                each ->
                    samples.stream()
                        .filter(other -> other.kind() == each.kind() && !other.key().backward())
                        .filter(other -> other.size().shape().equals(each.size().shape()))
                        .filter(other -> other.size().type().equals(each.size().type()))
                        .mapToDouble(other -> each.ns() / other.ns() / flops(each.size())))
            .sorted()
            .toArray();
    this.efficiency =
        measured.length > 0
            ? Statistics.quantile(measured, 0.5)
            : AttentionEfficiency.forwardOverBackward(device);
  }

  boolean knows(Kind kind) {
    return kind == Kind.ATTENTION || kind == Kind.NORM;
  }

  /** The factor of this work of a backward pass. */
  double of(ProfileWork work) {
    return work.kind() == Kind.NORM ? OF_NORMS : flops(work.size()) * efficiency;
  }

  private static double flops(ProfileWork.Size size) {
    double forward = Extent.of(Kind.ATTENTION, false, size).flops();
    return forward > 0 ? Extent.of(Kind.ATTENTION, true, size).flops() / forward : 1;
  }
}
