package org.stage.calibrate;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.stage.api.profile.Runs;

/**
 * Durations of equal runs, sorted, without those that were disturbed.
 *
 * <p>Where three steps or more have the runs of an operator equally often, its n-th run of a step
 * is the same piece of work in each, and one that stands far from the others is disturbed: it
 * counts as they do. Else a run far from the median is left out, unless others agree with it: those
 * are of another place, where equal work takes another time, and all together keep their sum.
 */
final class Statistics {
  /** Runs further from the median than this many median deviations are far. */
  private static final double FAR = 10;

  /** Deviations below this share of the median are the clock's. */
  private static final double CLOCK = 0.01;

  /** The share of all runs, besides two of them, that far ones must be which agree. */
  private static final double PLACE = 0.02;

  private static final int STEPS = 3;

  private final double[] sorted;
  private final int left;

  private Statistics(double[] sorted, int left) {
    this.sorted = sorted;
    this.left = left;
  }

  /** Of at least one duration, nanoseconds. */
  static Statistics of(double[] durations) {
    double[] sorted = Arrays.stream(durations).sorted().toArray();
    double[] kept = withoutDisturbed(sorted);
    return new Statistics(kept, sorted.length - kept.length);
  }

  /** Puts together the durations of runs that count as equal. */
  static final class Collector {
    private final DoubleStream.Builder settled = DoubleStream.builder();
    private final DoubleStream.Builder single = DoubleStream.builder();
    private int left;

    /** Adds some runs of an operator on one rank, by index in order of time. */
    void add(Runs runs, Window window, int[] indices) {
      int inStep = indices.length / window.steps();
      boolean regular =
          window.steps() >= STEPS
              && inStep > 0
              && IntStream.range(0, indices.length)
                  .allMatch(i -> runs.step(indices[i]) == window.first() + i / inStep)
              && indices.length == inStep * window.steps();
      if (!regular) {
        Arrays.stream(indices).mapToDouble(runs::durationNs).forEach(single::add);
        return;
      }
      for (int at = 0; at < inStep; at++) {
        double[] same = new double[window.steps()];
        for (int step = 0; step < same.length; step++) {
          same[step] = runs.durationNs(indices[step * inStep + at]);
        }
        settle(same);
      }
    }

    private void settle(double[] same) {
      double median = quantile(Arrays.stream(same).sorted().toArray(), 0.5);
      double limit = limit(same, median);
      for (double each : same) {
        boolean far = Math.abs(each - median) > limit;
        left += far ? 1 : 0;
        settled.add(far ? median : each);
      }
    }

    /** Of all runs that were added; empty if there were none. */
    Optional<Statistics> statistics() {
      double[] all = single.build().sorted().toArray();
      double[] kept = all.length == 0 ? all : withoutDisturbed(all);
      double[] sorted =
          DoubleStream.concat(settled.build(), Arrays.stream(kept)).sorted().toArray();
      return sorted.length == 0
          ? Optional.empty()
          : Optional.of(new Statistics(sorted, left + all.length - kept.length));
    }
  }

  private static double limit(double[] durations, double median) {
    double[] deviations =
        Arrays.stream(durations).map(each -> Math.abs(each - median)).sorted().toArray();
    return FAR * Math.max(quantile(deviations, 0.5), CLOCK * median);
  }

  private static double[] withoutDisturbed(double[] sorted) {
    double median = quantile(sorted, 0.5);
    double limit = limit(sorted, median);
    double enough = Math.max(2, PLACE * sorted.length);
    DoubleStream.Builder kept = DoubleStream.builder();
    for (int from = 0; from < sorted.length; ) {
      int to = from + 1;
      while (to < sorted.length && sorted[to] <= sorted[to - 1] * (1 + 2 * CLOCK)) {
        to++;
      }
      for (int i = from; i < to; i++) {
        if (to - from >= enough || Math.abs(sorted[i] - median) <= limit) {
          kept.add(sorted[i]);
        }
      }
      from = to;
    }
    return kept.build().toArray();
  }

  /** Linear between the neighbours in {@code sorted}, which is not empty. */
  static double quantile(double[] sorted, double share) {
    double at = share * (sorted.length - 1);
    int below = (int) Math.floor(at);
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
  }

  /** What a run takes such that all of them take together what they took, nanoseconds. */
  double mean() {
    return total() / sorted.length;
  }

  /** How many are used. */
  int count() {
    return sorted.length;
  }

  /** How many were left out, or count as the same run of other steps. */
  int leftOut() {
    return left;
  }

  /** All that are used together, nanoseconds. */
  double total() {
    return Arrays.stream(sorted).sum();
  }

  /** The ratio of the 90th to the 10th percentile: how alike equal runs are. */
  double spread() {
    double low = quantile(sorted, 0.1);
    return low > 0 ? quantile(sorted, 0.9) / low : 1;
  }

  /** For example {@code 5 runs of 41000 ns}. */
  @Override
  public String toString() {
    return sorted.length + " runs of " + Math.round(mean()) + " ns";
  }
}
