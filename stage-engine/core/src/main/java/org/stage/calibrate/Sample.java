package org.stage.calibrate;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.workload.Hardware;
import org.stage.api.workload.Phase;
import org.stage.sim.cost.Kernel;

/**
 * Measured work on a device: all runs of one kind, phase and size, whatever module they were in.
 *
 * @param key what they have in common
 * @param name one of the names that profiles gave it
 * @param durations how long each run took
 * @param places the same for each module in which they were, if the profile tells modules
 */
record Sample(Key key, String name, Statistics durations, Map<String, Statistics> places) {
  private static final double TOLERANCE = 1.05;

  /** Above the last-level caches of current devices (MI300X: 256 MB), bytes. */
  private static final double CACHED = 300e6;

  /**
   * What makes runs equal.
   *
   * @param kind the sort of work
   * @param phase the part of the step, if known
   * @param backward whether it belongs to a backward pass
   * @param size its size
   * @param name of work without matrix products the name, since such work differs by more than size
   */
  record Key(
      Kind kind, Optional<Phase> phase, boolean backward, ProfileWork.Size size, String name) {}

  Kind kind() {
    return key.kind();
  }

  ProfileWork.Size size() {
    return key.size();
  }

  Extent extent() {
    return Extent.of(key.kind(), key.backward(), key.size());
  }

  double ns() {
    return durations.mean();
  }

  /** How long it took in the module of this name, nanoseconds; empty if it was not measured. */
  OptionalDouble ns(String place) {
    Statistics there = places.get(place);
    return there == null ? OptionalDouble.empty() : OptionalDouble.of(there.mean());
  }

  /** It as a device is given it, if it is what the engine calls {@code operator}. */
  Kernel kernel(String operator) {
    return new Kernel(operator, size().shape(), extent().flops(), 0, extent().bytes());
  }

  /** Whether it picks a few elements out of what it reads. */
  boolean picks() {
    return kind() == Kind.ELEMENTWISE && KernelMatcher.PICKS.matcher(key.name()).find();
  }

  /**
   * Whether {@code hardware} can do so many FLOPs, and move so many bytes, in that time; with 5 %
   * of tolerance, as clocks boost, and not asked of what fits in caches.
   */
  boolean isPossibleOn(Optional<Hardware> hardware) {
    if (hardware.isEmpty() || ns() <= 0) {
      return true;
    }
    double peak = hardware.get().peakTflops().getOrDefault(size().type(), Double.MAX_VALUE) * 1e3;
    double bandwidth = hardware.get().memoryGbPerS();
    Extent extent = extent();
    boolean cached = extent.bytes() < CACHED;
    return extent.flops() / ns() <= TOLERANCE * peak
        && (cached || extent.bytes() / ns() <= TOLERANCE * bandwidth);
  }
}
