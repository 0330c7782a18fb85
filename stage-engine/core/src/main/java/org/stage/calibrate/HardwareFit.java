package org.stage.calibrate;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.stage.api.diagnostic.InputException;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.profile.Profile;
import org.stage.api.workload.DataType;

/**
 * A device as profiles show it: throughput and bandwidth that it achieved, to be used in place of a
 * data sheet's peaks.
 *
 * <p>Throughput is such that all matrix products of a type together take what they took, each by
 * the longer of its FLOPs and its bytes, so that a job of the same products takes the same time in
 * sum. Bandwidth is the median of norms and of work by element, each in bytes over time. Profiles
 * tell what such work reads: a norm writes as much, and its gradient reads twice and writes once
 * what was normalised; a reduction writes nothing that counts, and other work is taken to write
 * half of what it reads, as the sum of two tensors does. The network is that of {@link NetworkFit}.
 */
public final class HardwareFit {
  private static final double GIGA = 1e9;
  private static final Pattern REDUCTION =
      Pattern.compile("::(sum|a?max|a?min|mean|norm|linalg_vector_norm|reduce_\\w+)$");
  private static final Set<String> TYPES = Set.of("fp8", "bf16", "fp16", "fp32");

  /** FLOPs below which a product's time is that of its launch; left out where there are larger. */
  private static final double WORTH = 1e9;

  private static final int HALVINGS = 60;

  /** No device is so many times faster than it was in the mean. */
  private static final double FASTEST = 100;

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
    double bandwidth = bandwidth();
    Map<String, Double> peaks = peaks(bandwidth);
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
  private Map<String, Double> peaks(double bandwidth) {
    Map<String, List<Sample>> products = new TreeMap<>();
    List<Sample> all =
        samples.stream()
            .filter(each -> each.kind() == Kind.GEMM && each.size().hasProducts())
            .filter(each -> TYPES.contains(each.size().type()))
            .toList();
    List<Sample> worthy = all.stream().filter(each -> each.extent().flops() >= WORTH).toList();
    for (Sample sample : worthy.isEmpty() ? all : worthy) {
      products.computeIfAbsent(sample.size().type(), type -> new ArrayList<>()).add(sample);
    }
    Map<String, Double> peaks = new TreeMap<>();
    products.forEach((type, each) -> peaks.put(type, peak(each, bandwidth) / 1e3));
    return peaks;
  }

  /** FLOPs a nanosecond at which {@code products} take what they took together. */
  private static double peak(List<Sample> products, double bandwidth) {
    double flops = 0;
    double time = 0;
    for (Sample each : products) {
      flops += each.extent().flops() * each.durations().count();
      time += each.durations().total();
    }
    double low = flops / time;
    double high = FASTEST * low;
    if (bandwidth <= 0 || time(products, high, bandwidth) > time) {
      // their bytes alone take longer than they did
      return low;
    }
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + high) / 2;
      if (time(products, middle, bandwidth) > time) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  private static double time(List<Sample> products, double peak, double bandwidth) {
    double time = 0;
    for (Sample each : products) {
      Extent extent = each.extent();
      double longer = Math.max(extent.flops() / peak, extent.bytes() / bandwidth);
      time += each.durations().count() * longer;
    }
    return time;
  }

  /** 10^9 bytes a second; 0 if nothing tells. */
  private double bandwidth() {
    double large = bandwidth(sample -> sample.extent().bytes() >= LARGE);
    return large > 0 ? large : bandwidth(sample -> true);
  }

  private double bandwidth(Predicate<Sample> which) {
    double[] each =
        samples.stream()
            .filter(sample -> STREAMING.contains(sample.kind()) && !sample.picks())
            .filter(sample -> sample.size().elements() > 0 && sample.ns() > 0)
            .filter(which)
            .mapToDouble(sample -> moved(sample) * sample.extent().bytes() / sample.ns())
            .sorted()
            .toArray();
    return each.length == 0 ? 0 : Statistics.quantile(each, 0.5);
  }

  /** Bytes read and written for each byte that the profile tells of. */
  private static double moved(Sample sample) {
    if (sample.kind() == Kind.NORM) {
      return sample.key().backward() ? 3 : 2;
    }
    return REDUCTION.matcher(sample.key().name()).find() ? 1 : 1.5;
  }

  static String number(double value) {
    return String.format(Locale.ROOT, "%.4g", value).contains("e")
        ? Long.toString(Math.round(value))
        : String.format(Locale.ROOT, "%.4g", value);
  }
}
