package org.stage.calibrate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.workload.MatrixShape;
import org.stage.operator.OperatorRules;

/**
 * Predicts each measured shape from the others, as the job's shapes are predicted that nobody
 * measured: so the profile itself tells how far such durations are to be trusted.
 */
final class Holdouts {
  private static final double MOST = 0.9;

  private Holdouts() {}

  /**
   * How far a shape is mispredicted.
   *
   * @param factor at least 1
   * @param ns all its runs together
   */
  private record Miss(double factor, double ns) {}

  /** The errors by kind; kinds with one shape tell nothing. */
  static List<CalibrationReport.Holdout> of(List<Sample> samples, OperatorRules operators) {
    Map<Kind, List<Miss>> errors = new EnumMap<>(Kind.class);
    for (Sample sample : samples) {
      if (sample.extent().isUnknown() || sample.ns() <= 0) {
        continue;
      }
      List<Sample> others = samples.stream().filter(each -> !isSameShape(each, sample)).toList();
      Match match = new KernelMatcher(others, operators, "").match(asWork(sample));
      if (match.isKnown()) {
        double ratio = match.ns() / sample.ns();
        errors
            .computeIfAbsent(sample.kind(), kind -> new ArrayList<>())
            .add(new Miss(Math.max(ratio, 1 / ratio), sample.durations().total()));
      }
    }
    List<CalibrationReport.Holdout> holdouts = new ArrayList<>();
    errors.forEach((kind, each) -> holdouts.add(holdout(kind, each)));
    return holdouts;
  }

  private static CalibrationReport.Holdout holdout(Kind kind, List<Miss> errors) {
    errors.sort(Comparator.comparingDouble(Miss::factor));
    double[] sorted = errors.stream().mapToDouble(Miss::factor).toArray();
    double rest = MOST * errors.stream().mapToDouble(Miss::ns).sum();
    double within = 1;
    for (Miss each : errors) {
      if (rest > 0) {
        within = each.factor();
        rest -= each.ns();
      }
    }
    return new CalibrationReport.Holdout(
        kind,
        sorted.length,
        Statistics.quantile(sorted, 0.5),
        Statistics.quantile(sorted, MOST),
        within,
        sorted[sorted.length - 1]);
  }

  /** A product whose sides are exchanged, or to which is added, must not predict itself. */
  private static boolean isSameShape(Sample a, Sample b) {
    return a.kind() == b.kind()
        && (a.size().hasProducts()
            ? Arrays.equals(sides(a), sides(b))
            : a.extent().equals(b.extent()));
  }

  private static long[] sides(Sample sample) {
    MatrixShape shape = sample.size().shape();
    long[] sides = {shape.m(), shape.n(), shape.k(), shape.batch()};
    Arrays.sort(sides, 0, 3);
    return sides;
  }

  private static ProfileWork asWork(Sample sample) {
    return new ProfileWork(
        sample.name(),
        sample.kind(),
        sample.name(),
        sample.key().backward(),
        sample.size(),
        ProfileWork.Cost.NONE,
        1);
  }
}
