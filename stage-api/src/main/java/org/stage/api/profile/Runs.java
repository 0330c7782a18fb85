package org.stage.api.profile;

import java.util.Arrays;

/**
 * The runs of one operator on one device, in order of time. Immutable, and held in arrays of
 * numbers, since a profile may hold millions of runs.
 */
public final class Runs {
  /** The step of a run that belongs to none. */
  public static final int NO_STEP = -1;

  /** The instance of a collective that the profile does not tell apart. */
  public static final long NO_INSTANCE = 0;

  private final long[] startsNs;
  private final long[] durationsNs;
  private final int[] steps;
  private final long[] instances;

  private Runs(long[] startsNs, long[] durationsNs, int[] steps, long[] instances) {
    this.startsNs = startsNs;
    this.durationsNs = durationsNs;
    this.steps = steps;
    this.instances = instances;
  }

  /**
   * Runs of one operator. Copies the arrays.
   *
   * @param startsNs when each began on the device, nanoseconds since 1970 if the profile says, else
   *     since any moment that is the same for the whole profile
   * @param durationsNs how long each took on the device, nanoseconds; of a collective waiting and
   *     transfer together
   * @param steps the index of each run's step in {@link Profile#steps()}, or {@link #NO_STEP}
   * @param instances of a collective a number for each run that is the same on all ranks that take
   *     part in it; else {@link #NO_INSTANCE}
   * @throws IllegalArgumentException if the arrays differ in length or a duration is negative
   */
  public static Runs of(long[] startsNs, long[] durationsNs, int[] steps, long[] instances) {
    int size = startsNs.length;
    if (durationsNs.length != size || steps.length != size || instances.length != size) {
      throw new IllegalArgumentException("arrays of different lengths");
    }
    for (long duration : durationsNs) {
      if (duration < 0) {
        throw new IllegalArgumentException("a duration of " + duration + " ns");
      }
    }
    return new Runs(startsNs.clone(), durationsNs.clone(), steps.clone(), instances.clone());
  }

  /** How many there are. */
  public int size() {
    return startsNs.length;
  }

  /** When run {@code index} began, nanoseconds. */
  public long startNs(int index) {
    return startsNs[index];
  }

  /** How long run {@code index} took, nanoseconds. */
  public long durationNs(int index) {
    return durationsNs[index];
  }

  /** The step of run {@code index}, or {@link #NO_STEP}. */
  public int step(int index) {
    return steps[index];
  }

  /** The collective of which run {@code index} is this rank's part, or {@link #NO_INSTANCE}. */
  public long instance(int index) {
    return instances[index];
  }

  /**
   * All durations together, nanoseconds.
   *
   * @throws ArithmeticException if they do not fit 63 bits
   */
  public long totalNs() {
    return Arrays.stream(durationsNs).reduce(0, Math::addExact);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Runs runs
        && Arrays.equals(startsNs, runs.startsNs)
        && Arrays.equals(durationsNs, runs.durationsNs)
        && Arrays.equals(steps, runs.steps)
        && Arrays.equals(instances, runs.instances);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(startsNs) + Arrays.hashCode(durationsNs);
  }

  /** For example {@code 5 runs, 41000 ns}. */
  @Override
  public String toString() {
    return size() + " runs, " + totalNs() + " ns";
  }
}
