package org.stage.calibrate;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.stage.api.profile.MeasuredOperator.Kind;

/**
 * Predicts each measured shape from the others, as the job's shapes are predicted that nobody
 * measured: so the profile itself tells how far such durations are to be trusted.
 */
final class Holdouts {
  private Holdouts() {}

  /** The errors by kind; kinds with one shape tell nothing. */
  static List<CalibrationReport.Holdout> of(List<Sample> samples) {
    Map<Kind, List<Double>> factors = new EnumMap<>(Kind.class);
    for (Sample sample : samples) {
      if (sample.extent().isUnknown() || sample.ns() <= 0) {
        continue;
      }
      List<Sample> others = samples.stream().filter(each -> !isSameShape(each, sample)).toList();
      Match match = new KernelMatcher(others).match(asWork(sample));
      if (match.isKnown()) {
        double ratio = match.ns() / sample.ns();
        factors
            .computeIfAbsent(sample.kind(), kind -> new ArrayList<>())
            .add(Math.max(ratio, 1 / ratio));
      }
    }
    List<CalibrationReport.Holdout> holdouts = new ArrayList<>();
    factors.forEach(
        (kind, each) -> {
          double[] sorted = each.stream().mapToDouble(factor -> factor).sorted().toArray();
          holdouts.add(
              new CalibrationReport.Holdout(
                  kind,
                  sorted.length,
                  Statistics.quantile(sorted, 0.5),
                  Statistics.quantile(sorted, 0.9)));
        });
    return holdouts;
  }

  /** A transposed product is the same shape: it must not predict itself. */
  private static boolean isSameShape(Sample a, Sample b) {
    return a.kind() == b.kind() && a.extent().equals(b.extent());
  }

  private static Work asWork(Sample sample) {
    return new Work(
        sample.name(),
        sample.kind(),
        sample.name(),
        sample.key().backward(),
        sample.size(),
        Work.Cost.NONE,
        1);
  }
}
