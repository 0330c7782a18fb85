package org.stage.calibrate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.stage.api.profile.MeasuredOperator;
import org.stage.api.profile.Profile;
import org.stage.api.profile.Runs;
import org.stage.api.workload.DataType;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Phase;

/** Reads the computations of profiles: equal work of all ranks and steps becomes one sample. */
final class Samples {
  private final int unknownTypeBytes;
  private final Map<Sample.Key, Gathered> gathered = new LinkedHashMap<>();
  private final Map<Sample.Key, Map<String, Gathered>> places = new HashMap<>();
  private final Map<Sample.Key, String> names = new LinkedHashMap<>();

  /** Runs that count as equal; those beside communication count where there are no others. */
  private static final class Gathered {
    private final Statistics.Collector alone = new Statistics.Collector();
    private final Statistics.Collector beside = new Statistics.Collector();

    void add(Runs runs, Window window, int[] ofDevice, int[] ofBoth) {
      alone.add(runs, window, ofDevice);
      beside.add(runs, window, ofBoth);
    }

    Optional<Statistics> statistics() {
      return alone.statistics().or(beside::statistics);
    }
  }

  private Samples(int unknownTypeBytes) {
    this.unknownTypeBytes = unknownTypeBytes;
  }

  /**
   * The samples of {@code profiles}, in their order.
   *
   * @param unknownTypeBytes bytes of an element where a profile does not tell its type
   */
  static List<Sample> of(List<Profile> profiles, int unknownTypeBytes) {
    Samples samples = new Samples(unknownTypeBytes);
    profiles.forEach(samples::add);
    List<Sample> all = new ArrayList<>();
    samples.gathered.forEach(
        (key, runs) -> {
          Map<String, Statistics> places = new HashMap<>();
          samples
              .places
              .getOrDefault(key, Map.of())
              .forEach(
                  (place, there) -> there.statistics().ifPresent(each -> places.put(place, each)));
          String name = samples.names.getOrDefault(key, "");
          runs.statistics().ifPresent(each -> all.add(new Sample(key, name, each, places)));
        });
    return all;
  }

  private void add(Profile profile) {
    Window window = Window.of(profile);
    Contention contention = Contention.of(profile);
    for (MeasuredOperator operator : profile.operators()) {
      if (!operator.kind().isCommunication()) {
        Sample.Key key = key(operator, unknownTypeBytes);
        names.putIfAbsent(key, operator.name());
        Runs runs = operator.runs();
        int[] all = window.indices(runs).toArray();
        int[] alone = IntStream.of(all).filter(run -> !contention.slows(runs, run)).toArray();
        int[] beside = IntStream.of(all).filter(run -> contention.slows(runs, run)).toArray();
        gathered.computeIfAbsent(key, each -> new Gathered()).add(runs, window, alone, beside);
        if (!operator.module().isEmpty()) {
          places
              .computeIfAbsent(key, each -> new HashMap<>())
              .computeIfAbsent(operator.module(), each -> new Gathered())
              .add(runs, window, alone, beside);
        }
      }
    }
  }

  /**
   * The sample to which the runs of {@code operator} belong.
   *
   * @param unknownTypeBytes bytes of an element where the profile does not tell its type
   */
  static Sample.Key key(MeasuredOperator operator, int unknownTypeBytes) {
    MatrixShape shape = operator.shape().matrix();
    boolean products = !shape.equals(MatrixShape.NONE);
    ProfileWork.Size size =
        new ProfileWork.Size(
            shape,
            operator.dataType(),
            bytes(operator.dataType(), unknownTypeBytes),
            products ? 0 : operator.shape().elements(),
            operator.shape().addedBytes(),
            new ProfileWork.Moved(operator.transfer().bytes(), 0, 0));
    return new Sample.Key(
        operator.kind(),
        operator.phase(),
        isBackward(operator),
        size,
        products ? "" : operator.name());
  }

  private static int bytes(String type, int unknownTypeBytes) {
    for (DataType each : DataType.values()) {
      if (each.text().equals(type)) {
        return each.bytes();
      }
    }
    return unknownTypeBytes;
  }

  private static boolean isBackward(MeasuredOperator operator) {
    String name = operator.name().toLowerCase(Locale.ROOT);
    boolean named = name.contains("backward") || name.contains("bwd");
    return operator.phase().filter(Phase.BACKWARD::equals).isPresent()
        || (named && KernelMatcher.DIRECTED.contains(operator.kind()));
  }
}
