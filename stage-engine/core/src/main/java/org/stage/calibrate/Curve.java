package org.stage.calibrate;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * How long work of a class takes by its size, inside the range in which the class was measured.
 *
 * <p>The nearest sample that is smaller and the nearest that is larger each tell a time, as though
 * the work were as efficient as they are; between the two the logarithm of the time goes in a
 * straight line over that of the size, since efficiency changes steadily with size. The range ends
 * at four times the largest and a fourth of the smallest sample in FLOPs, bytes, and FLOPs for each
 * byte. Beyond it the class tells nothing: a kernel that takes what its launch takes has a
 * throughput as low as one likes.
 */
record Curve(List<Sample> samples) {
  static Curve of(List<Sample> samples) {
    return new Curve(samples);
  }

  /** The time of work of this extent, nanoseconds; empty where it lies out of the range. */
  OptionalDouble at(Extent extent) {
    boolean inside =
        !samples.isEmpty()
            && isInRange(extent, Extent::flops)
            && isInRange(extent, Extent::bytes)
            && isInRange(extent, Extent::intensity);
    if (!inside) {
      return OptionalDouble.empty();
    }
    Comparator<Sample> bySize = Comparator.comparingDouble(each -> extent.over(each.extent()));
    Optional<Sample> smaller =
        samples.stream().filter(each -> extent.over(each.extent()) >= 1).min(bySize);
    Optional<Sample> larger =
        samples.stream().filter(each -> extent.over(each.extent()) < 1).max(bySize);
    if (smaller.isEmpty() || larger.isEmpty()) {
      Sample only = smaller.or(() -> larger).orElseThrow();
      return OptionalDouble.of(only.ns() * extent.over(only.extent()));
    }
    double up = extent.over(smaller.get().extent());
    double down = extent.over(larger.get().extent());
    double share = Math.log(up) / (Math.log(up) - Math.log(down));
    double fromSmaller = Math.log(smaller.get().ns() * up);
    double fromLarger = Math.log(larger.get().ns() * down);
    return OptionalDouble.of(Math.exp((1 - share) * fromSmaller + share * fromLarger));
  }

  private boolean isInRange(Extent extent, ToDoubleFunction<Extent> measure) {
    double[] measured =
        samples.stream()
            .mapToDouble(each -> measure.applyAsDouble(each.extent()))
            .sorted()
            .toArray();
    double value = measure.applyAsDouble(extent);
    return value * KernelMatcher.SIMILAR >= measured[0]
        && value <= measured[measured.length - 1] * KernelMatcher.SIMILAR;
  }
}
