package org.stage.calibrate;

import java.util.Arrays;

/** Durations of equal runs, sorted, without those that stand far apart from the rest. */
final class Statistics {
  /** Runs further from the median than this many median deviations are not used. */
  private static final double FAR = 10;

  /** Deviations below this share of the median are the clock's, and leave nothing out. */
  private static final double CLOCK = 0.01;

  private final double[] sorted;
  private final int left;

  private Statistics(double[] sorted, int left) {
    this.sorted = sorted;
    this.left = left;
  }

  /** Of at least one duration, nanoseconds. */
  static Statistics of(double[] durations) {
    double[] all = durations.clone();
    Arrays.sort(all);
    double median = quantile(all, 0.5);
    double[] deviations =
        Arrays.stream(all).map(each -> Math.abs(each - median)).sorted().toArray();
    double limit = FAR * Math.max(quantile(deviations, 0.5), CLOCK * median);
    double[] near = Arrays.stream(all).filter(each -> Math.abs(each - median) <= limit).toArray();
    return new Statistics(near, all.length - near.length);
  }

  /** Linear between the neighbours in {@code sorted}, which is not empty. */
  static double quantile(double[] sorted, double share) {
    double at = share * (sorted.length - 1);
    int below = (int) Math.floor(at);
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
  }

  /** The median, nanoseconds. */
  double median() {
    return quantile(sorted, 0.5);
  }

  /** How many are used. */
  int count() {
    return sorted.length;
  }

  /** How many were left out. */
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
    return sorted.length + " runs of " + Math.round(median()) + " ns";
  }
}
