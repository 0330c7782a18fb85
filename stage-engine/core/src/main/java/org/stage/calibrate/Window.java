package org.stage.calibrate;

import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.stage.api.profile.Profile;
import org.stage.api.profile.Runs;

/**
 * Which runs of a profile count: those of its steps, but not of the first of several, which pays
 * for allocation and compilation; without marked steps all of them.
 *
 * @param first the first step that counts; {@link Runs#NO_STEP} if the profile marks none
 * @param steps how many count, at least 1
 */
record Window(int first, int steps) {
  static Window of(Profile profile) {
    int marked = profile.steps().size();
    if (marked == 0) {
      return new Window(Runs.NO_STEP, 1);
    }
    return marked == 1 ? new Window(0, 1) : new Window(1, marked - 1);
  }

  boolean marked() {
    return first != Runs.NO_STEP;
  }

  boolean holds(Runs runs, int index) {
    return !marked() || runs.step(index) >= first;
  }

  /** The runs that count, by index. */
  IntStream indices(Runs runs) {
    return IntStream.range(0, runs.size()).filter(index -> holds(runs, index));
  }

  /** The durations that count, nanoseconds. */
  DoubleStream durations(Runs runs) {
    return indices(runs).mapToDouble(runs::durationNs);
  }
}
