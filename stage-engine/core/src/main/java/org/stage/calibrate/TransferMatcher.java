package org.stage.calibrate;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import org.stage.api.plugin.NodeKind;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.workload.RankSet;
import org.stage.sim.cost.RingSteps;

/**
 * Finds the duration of a collective or a send among measured ones: the same; of the same kind and
 * group size on a line {@code latency + bytes x rate} through three sizes or more, else scaled from
 * the nearest size; of the same kind by the bandwidth that each member's link carried. Sizes more
 * than four times beyond what was measured are not known.
 */
final class TransferMatcher {
  private static final int ENOUGH_FOR_A_LINE = 3;

  private final List<Transfers.Measured> measured;

  TransferMatcher(List<Transfers.Measured> measured) {
    this.measured = measured.stream().filter(each -> each.ns() > 0).toList();
  }

  Match match(ProfileWork work) {
    long bytes = work.size().bytes();
    List<Transfers.Measured> ofKind =
        measured.stream().filter(each -> isOf(each.key().kind(), work.kind())).toList();
    // A pair of ranks is a pair however many ranks the profile counts to its communicator.
    Predicate<Transfers.Measured> group =
        work.kind() == Kind.SEND
            ? each -> true
            : each -> each.key().groupSize() == work.size().groupSize();
    List<Transfers.Measured> ofGroup = ofKind.stream().filter(group).toList();
    Optional<Transfers.Measured> same =
        ofGroup.stream()
            .filter(each -> each.key().bytes() == bytes)
            .max(
                Comparator.<Transfers.Measured>comparingInt(each -> spans(each, work) ? 1 : 0)
                    .thenComparingInt(Transfers.Measured::count));
    if (same.isPresent()) {
      return new Match(Level.EXACT, same.get().ns(), Optional.empty());
    }
    if (!ofGroup.isEmpty()) {
      List<Transfers.Measured> alike = ofGroup.stream().filter(each -> spans(each, work)).toList();
      return match(Level.SCALED, scaled(alike.isEmpty() ? ofGroup : alike, bytes));
    }
    return work.size().groupSize() > 1 ? match(Level.CLASS, byBandwidth(ofKind, work)) : Match.NONE;
  }

  private static Match match(Level level, OptionalDouble ns) {
    return ns.isPresent() ? new Match(level, ns.getAsDouble(), Optional.empty()) : Match.NONE;
  }

  /** The same as these ranks measured it in the module of this name. */
  Optional<Match> at(String name, RankSet ranks, ProfileWork work) {
    double[] there =
        measured.stream()
            .filter(each -> isOf(each.key().kind(), work.kind()))
            .filter(each -> each.key().bytes() == work.size().bytes())
            .flatMap(each -> each.places().entrySet().stream())
            .filter(each -> each.getKey().module().equals(name))
            .filter(each -> each.getKey().ranks().stream().anyMatch(ranks::contains))
            .mapToDouble(Map.Entry::getValue)
            .sorted()
            .toArray();
    return there.length == 0
        ? Optional.empty()
        : Optional.of(new Match(Level.EXACT, Statistics.quantile(there, 0.5), Optional.empty()));
  }

  /** Whether its ranks lie as far apart as those of {@code work}. */
  private static boolean spans(Transfers.Measured measured, ProfileWork work) {
    return measured.key().span() == work.size().moved().span();
  }

  private static boolean isOf(Kind measured, Kind kind) {
    return measured == kind || (kind == Kind.SEND && measured == Kind.SEND_RECV);
  }

  /** Empty where it is more than four times as large as what was measured, or a fourth of it. */
  private static OptionalDouble scaled(List<Transfers.Measured> ofGroup, long bytes) {
    double least = ofGroup.stream().mapToDouble(Transfers.Measured::ns).min().orElse(0);
    Transfers.Measured nearest =
        ofGroup.stream()
            .min(Comparator.comparingDouble(each -> Math.abs(Math.log(ratio(each, bytes)))))
            .orElseThrow();
    double ratio = ratio(nearest, bytes);
    long sizes = ofGroup.stream().map(each -> each.key().bytes()).distinct().count();
    // a line knows the latency, which is all that small messages take
    if (ratio > KernelMatcher.SIMILAR
        || (ratio * KernelMatcher.SIMILAR < 1 && sizes < ENOUGH_FOR_A_LINE)) {
      return OptionalDouble.empty();
    }
    double ns = sizes >= ENOUGH_FOR_A_LINE ? Line.through(ofGroup).at(bytes) : nearest.ns() * ratio;
    return OptionalDouble.of(Math.max(least, ns));
  }

  private static double ratio(Transfers.Measured measured, long bytes) {
    return (double) bytes / measured.key().bytes();
  }

  /** Empty where a link carries more than four times what was measured, or less than a fourth. */
  private static OptionalDouble byBandwidth(List<Transfers.Measured> ofKind, ProfileWork work) {
    List<Transfers.Measured> groups =
        ofKind.stream().filter(each -> each.key().groupSize() > 1).toList();
    double[] wires = groups.stream().mapToDouble(TransferMatcher::wireBytes).sorted().toArray();
    double wire = wireBytes(work.kind(), work.size().groupSize(), work.size().bytes());
    if (wires.length == 0
        || wire > wires[wires.length - 1] * KernelMatcher.SIMILAR
        || wire * KernelMatcher.SIMILAR < wires[0]) {
      return OptionalDouble.empty();
    }
    double[] rates =
        groups.stream().mapToDouble(each -> wireBytes(each) / each.ns()).sorted().toArray();
    double least = groups.stream().mapToDouble(Transfers.Measured::ns).min().orElse(0);
    return OptionalDouble.of(Math.max(least, wire / Statistics.quantile(rates, 0.5)));
  }

  private static double wireBytes(Transfers.Measured measured) {
    Transfers.Key key = measured.key();
    return wireBytes(key.kind(), key.groupSize(), key.bytes());
  }

  /** What each member's link carries; of what is no collective of a ring, a message. */
  static RingSteps ring(Kind kind, int members) {
    return switch (kind) {
      case ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL ->
          RingSteps.of(NodeKind.valueOf(kind.name()), members);
      default -> RingSteps.of(NodeKind.SEND, members);
    };
  }

  private static double wireBytes(Kind kind, int members, long bytes) {
    return ring(kind, members).wireBytes((double) bytes);
  }

  /**
   * Latency and rate of a transfer.
   *
   * @param latency nanoseconds
   * @param perByte nanoseconds a byte
   */
  record Line(double latency, double perByte) {
    /**
     * The line with the least relative errors, since sizes span orders of magnitude; through the
     * origin where latency would be negative.
     */
    static Line through(List<Transfers.Measured> points) {
      double w = 0;
      double wx = 0;
      double wxx = 0;
      double wy = 0;
      double wxy = 0;
      for (Transfers.Measured point : points) {
        double x = (double) point.key().bytes();
        double weight = 1 / (point.ns() * point.ns());
        w += weight;
        wx += weight * x;
        wxx += weight * x * x;
        wy += weight * point.ns();
        wxy += weight * x * point.ns();
      }
      double determinant = w * wxx - wx * wx;
      double perByte = determinant > 0 ? (w * wxy - wx * wy) / determinant : 0;
      double latency = (wy - perByte * wx) / w;
      return latency < 0 || perByte < 0 ? new Line(0, wxy / wxx) : new Line(latency, perByte);
    }

    double at(long bytes) {
      return latency + perByte * bytes;
    }
  }
}
