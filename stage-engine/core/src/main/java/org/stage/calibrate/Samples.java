package org.stage.calibrate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.stage.api.profile.MeasuredOperator;
import org.stage.api.profile.Profile;
import org.stage.api.profile.Runs;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Phase;

/** Reads the computations of profiles: equal work of all ranks and steps becomes one sample. */
final class Samples {
  private final int unknownTypeBytes;
  private final Map<Sample.Key, DoubleStream.Builder> durations = new LinkedHashMap<>();

  /** Of runs beside communication, which count where there are no others. */
  private final Map<Sample.Key, DoubleStream.Builder> beside = new LinkedHashMap<>();

  private final Map<Sample.Key, String> names = new LinkedHashMap<>();

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
    samples.beside.forEach(samples.durations::putIfAbsent);
    samples.durations.forEach(
        (key, values) -> {
          double[] each = values.build().toArray();
          String name = samples.names.getOrDefault(key, "");
          if (each.length > 0) {
            all.add(new Sample(key, name, Statistics.of(each)));
          }
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
        window
            .indices(runs)
            .forEach(
                run ->
                    (contention.slows(runs, run) ? beside : durations)
                        .computeIfAbsent(key, each -> DoubleStream.builder())
                        .add((double) runs.durationNs(run)));
      }
    }
  }

  /**
   * The sample to which the runs of {@code operator} belong.
   *
   * @param unknownTypeBytes bytes of an element where the profile does not tell its type
   */
  static Sample.Key key(MeasuredOperator operator, int unknownTypeBytes) {
    ProfileWork.Size size =
        new ProfileWork.Size(
            operator.shape().matrix(),
            operator.dataType(),
            bytes(operator.dataType(), unknownTypeBytes),
            operator.shape().elements(),
            operator.transfer().bytes(),
            0);
    boolean products = size.hasProducts();
    if (products) {
      // What else it reads, as the bias of a product, makes no other work of it.
      size = new ProfileWork.Size(size.shape(), size.type(), size.typeBytes(), 0, size.bytes(), 0);
    }
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
