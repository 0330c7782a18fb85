package org.stage.calibrate;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.stage.api.profile.MeasuredOperator;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.profile.Profile;
import org.stage.calibrate.Calibration.Placed;
import org.stage.calibrate.GapAssignment.Way;

/** How much of what was measured the job has, and what it has nothing of. */
final class UsedTimes {
  private final Map<Sample.Key, Level> references = new HashMap<>();
  private final Map<Way, Double> used = new EnumMap<>(Way.class);
  private final Map<Kind, Map<String, Double>> left = new LinkedHashMap<>();
  private double measured;
  private double similar;

  private UsedTimes() {}

  static UsedTimes of(List<Pool> pools, List<Placed> placed) {
    UsedTimes times = new UsedTimes();
    for (Placed each : placed) {
      each.match()
          .reference()
          .filter(sample -> each.match().isKnown())
          .ifPresent(
              sample ->
                  times.references.merge(
                      sample.key(), each.match().level(), (a, b) -> a.compareTo(b) < 0 ? a : b));
    }
    for (Pool pool : pools) {
      for (Profile profile : pool.profiles()) {
        double runs = (double) Window.of(profile).steps() * pool.profiles().size();
        profile.operators().stream()
            .filter(each -> !each.kind().isCommunication())
            .forEach(each -> times.add(pool, profile, each, runs));
      }
    }
    return times;
  }

  private void add(Pool pool, Profile profile, MeasuredOperator operator, double runs) {
    DoubleStream durations = Window.of(profile).durations(operator.runs());
    double rest = durations.sum() / runs;
    measured += rest;
    for (Map.Entry<Way, Double> each : pool.assembly().used(operator).entrySet()) {
      double ns = each.getValue() / runs;
      used.merge(each.getKey(), ns, Double::sum);
      rest -= ns;
    }
    Level level = references.get(pool.key(operator));
    if (level == null) {
      if (rest > 0) {
        left.computeIfAbsent(operator.kind(), kind -> new LinkedHashMap<>())
            .merge(operator.name(), rest, Double::sum);
      }
    } else if (level.compareTo(Level.SWAPPED) <= 0) {
      used.merge(Way.NAME, rest, Double::sum);
    } else {
      similar += rest;
    }
  }

  /** The sums, nanoseconds in a step of a rank. */
  CalibrationReport.Use use() {
    return new CalibrationReport.Use(
        measured,
        used.getOrDefault(Way.NAME, 0.0),
        used.getOrDefault(Way.MODULE, 0.0),
        used.getOrDefault(Way.PLACE, 0.0),
        used.getOrDefault(Way.SHARE, 0.0),
        similar);
  }

  /** What the job has nothing of, by kind and name, nanoseconds in a step of a rank. */
  Map<Kind, Map<String, Double>> left() {
    return left;
  }
}
