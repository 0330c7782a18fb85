package org.stage.calibrate;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.profile.Profile;
import org.stage.sim.cost.RingSteps;

/**
 * A network as collectives show it. For each kind and group size a line through latency and bytes
 * is fitted; of a collective of {@code s} steps that carries {@code w} bytes over each link, its
 * latency is {@code s} times that of the link, and its rate that of the link by {@code w}. Groups
 * whose ranks lie closer together are taken to use an inner dimension: how close, their members
 * say, or else their number.
 */
final class NetworkFit {
  private static final Set<Kind> KINDS =
      EnumSet.of(Kind.ALL_REDUCE, Kind.ALL_GATHER, Kind.REDUCE_SCATTER, Kind.ALL_TO_ALL);

  private final Map<Integer, List<Link>> byExtent = new TreeMap<>();
  private final List<String> comments = new ArrayList<>();

  private NetworkFit() {}

  /** What one kind of collective in groups of one size tells of the links. */
  private record Link(double gbPerS, double latencyNs) {}

  static NetworkFit of(List<Profile> profiles) {
    NetworkFit fit = new NetworkFit();
    List<Transfers.Measured> transfers = Transfers.of(ProfileSet.of(profiles));
    transfers.stream()
        .map(Transfers.Measured::key)
        .filter(key -> KINDS.contains(key.kind()) && key.groupSize() > 1)
        .map(key -> new Transfers.Key(key.kind(), key.groupSize(), key.span(), 0))
        .distinct()
        .sorted(
            Comparator.comparingInt(Transfers.Key::groupSize)
                .thenComparing(Transfers.Key::kind)
                .thenComparingInt(Transfers.Key::span))
        .forEach(groups -> fit.add(groups, transfers));
    return fit;
  }

  /** What groups of one size tell that lie as far apart. */
  private void add(Transfers.Key groups, List<Transfers.Measured> transfers) {
    Kind kind = groups.kind();
    int size = groups.groupSize();
    int extent = Math.max(size, groups.span());
    List<Transfers.Measured> of =
        transfers.stream()
            .filter(each -> each.key().kind() == kind && each.key().groupSize() == size)
            .filter(each -> each.key().span() == groups.span())
            .filter(each -> each.ns() > 0)
            .toList();
    if (of.size() < 2) {
      return;
    }
    TransferMatcher.Line line = TransferMatcher.Line.through(of);
    if (line.perByte() <= 0) {
      return;
    }
    RingSteps ring = TransferMatcher.ring(kind, size);
    double wire = ring.wireBytes(1e6) / 1e6;
    Link link = new Link(wire / line.perByte(), line.latency() / ring.steps());
    byExtent.computeIfAbsent(extent, each -> new ArrayList<>()).add(link);
    comments.add(
        String.format(
            Locale.ROOT,
            "# %s over %d: %.1f us + bytes / %.1f GB/s; a link carries %.1f GB/s (%d sizes)",
            kind.text(),
            size,
            line.latency() / 1e3,
            1 / line.perByte(),
            link.gbPerS(),
            of.size()));
  }

  /** YAML: the curves as comments, and the dimensions under {@code network}, if any is known. */
  List<String> lines() {
    List<String> lines = new ArrayList<>(comments);
    if (!byExtent.isEmpty()) {
      lines.add("network:");
      int inside = 1;
      int outermost = Collections.max(byExtent.keySet());
      for (Map.Entry<Integer, List<Link>> each : byExtent.entrySet()) {
        int extent = each.getKey();
        boolean last = extent == outermost;
        if (last || extent % inside == 0) {
          lines.add(dimension(each.getValue(), last ? 0 : extent / inside));
          inside = extent;
        }
      }
    }
    return lines;
  }

  /** The last takes all devices that remain. */
  private static String dimension(List<Link> links, int size) {
    return "  - {topology: switch, "
        + (size > 1 ? "size: " + size + ", " : "")
        + "gb_per_s: "
        + HardwareFit.number(median(links.stream().map(Link::gbPerS).toList()))
        + ", latency_ns: "
        + HardwareFit.number(median(links.stream().map(Link::latencyNs).toList()))
        + "}";
  }

  private static double median(List<Double> values) {
    return Statistics.quantile(values.stream().mapToDouble(each -> each).sorted().toArray(), 0.5);
  }
}
