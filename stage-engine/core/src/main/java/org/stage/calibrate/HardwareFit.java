package org.stage.calibrate;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.stage.api.diagnostic.InputException;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.profile.Profile;
import org.stage.api.workload.DataType;

/**
 * A device as profiles show it: throughput and bandwidth that it achieved, to be used in place of a
 * data sheet's peaks.
 *
 * <p>Throughput is FLOPs over time of all matrix products of a type together, so that a job of the
 * same products takes the same time in sum. Bandwidth is bytes over time of norms and of work by
 * element; profiles tell what such work reads, and it is taken to write half as much, as the sum of
 * two tensors does. The network is that of {@link NetworkFit}.
 */
public final class HardwareFit {
  private static final double GIGA = 1e9;
  private static final double WRITTEN = 1.5;
  private static final Set<Kind> STREAMING = EnumSet.of(Kind.NORM, Kind.ELEMENTWISE);

  /** Below, launch and caches decide, bytes. */
  private static final double LARGE = 32e6;

  private final List<Profile> profiles;
  private final List<Sample> samples;
  private final StringBuilder text = new StringBuilder();

  private HardwareFit(List<Profile> profiles) {
    this.profiles = profiles;
    this.samples = Samples.of(profiles, DataType.BF16.bytes());
  }

  /**
   * A description of the device, YAML that {@code hardware:} of a workload file takes by its path.
   *
   * @param profiles of one device type, at least one
   * @throws InputException if they hold no matrix product with a shape, or too little to tell the
   *     bandwidth
   */
  public static String of(List<Profile> profiles) {
    return new HardwareFit(profiles).yaml();
  }

  private String yaml() {
    String source = profiles.get(0).source();
    Map<String, Double> peaks = peaks();
    double bandwidth = bandwidth();
    if (peaks.isEmpty() || bandwidth == 0) {
      throw new InputException(
          source,
          peaks.isEmpty()
              ? "has no matrix product whose shape and type are known"
              : "has no norm or work by element whose size is known",
          "Record shapes: torch.profiler.profile(record_shapes=True).");
    }
    String device = profiles.get(0).device().name();
    line("description: Measured" + (device.isEmpty() ? "" : ", " + quoteless(device)));
    line(
        "source: fitted to " + profiles.size() + (profiles.size() == 1 ? " profile" : " profiles"));
    line("hardware:");
    List<String> each = new ArrayList<>();
    peaks.forEach((type, tflops) -> each.add(type + ": " + number(tflops)));
    line("  peak_tflops: {" + String.join(", ", each) + "}");
    long memory = profiles.get(0).device().memoryBytes();
    line(
        memory > 0
            ? "  memory_gb: " + number(memory / GIGA)
            : "  # memory_gb: the profiles do not tell; add it");
    line("  memory_gb_per_s: " + number(bandwidth));
    NetworkFit.of(profiles).lines().forEach(this::line);
    return text.toString();
  }

  /** Names come from foreign files; YAML must read one as text. */
  private static String quoteless(String name) {
    return name.replaceAll("[^A-Za-z0-9 ._()-]", " ");
  }

  private void line(String line) {
    text.append(line).append('\n');
  }

  /** 10^12 FLOP/s by type. */
  private Map<String, Double> peaks() {
    Map<String, double[]> sums = new TreeMap<>();
    for (Sample sample : samples) {
      boolean known = Set.of("fp8", "bf16", "fp16", "fp32").contains(sample.size().type());
      if (sample.kind() == Kind.GEMM && sample.size().hasProducts() && known) {
        double[] sum = sums.computeIfAbsent(sample.size().type(), type -> new double[2]);
        sum[0] += sample.extent().flops() * sample.durations().count();
        sum[1] += sample.durations().total();
      }
    }
    Map<String, Double> peaks = new TreeMap<>();
    sums.forEach((type, sum) -> peaks.put(type, sum[0] / sum[1] / 1e3));
    return peaks;
  }

  /** 10^9 bytes a second; 0 if nothing tells. */
  private double bandwidth() {
    double large = bandwidth(sample -> sample.extent().bytes() >= LARGE);
    return large > 0 ? large : bandwidth(sample -> true);
  }

  private double bandwidth(Predicate<Sample> which) {
    double bytes = 0;
    double time = 0;
    for (Sample sample : samples) {
      if (STREAMING.contains(sample.kind()) && sample.size().elements() > 0 && which.test(sample)) {
        bytes += WRITTEN * sample.extent().bytes() * sample.durations().count();
        time += sample.durations().total();
      }
    }
    return time > 0 ? bytes / time : 0;
  }

  static String number(double value) {
    return String.format(Locale.ROOT, "%.4g", value).contains("e")
        ? Long.toString(Math.round(value))
        : String.format(Locale.ROOT, "%.4g", value);
  }
}
