package org.stage.calibrate;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.stage.api.plugin.NodeKind;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.sim.cost.RingSteps;

/**
 * Finds the duration of a collective or a send among measured ones: the same; of the same kind and
 * group size on a line {@code latency + bytes x rate} through three sizes or more, else scaled from
 * the nearest size; of the same kind by the bandwidth that each member's link carried.
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
        ofGroup.stream().filter(each -> each.key().bytes() == bytes).findFirst();
    if (same.isPresent()) {
      return new Match(Level.EXACT, same.get().ns(), Optional.empty());
    }
    if (!ofGroup.isEmpty()) {
      return new Match(Level.SCALED, scaled(ofGroup, bytes), Optional.empty());
    }
    if (!ofKind.isEmpty() && work.size().groupSize() > 1) {
      return new Match(Level.CLASS, byBandwidth(ofKind, work), Optional.empty());
    }
    return Match.NONE;
  }

  private static boolean isOf(Kind measured, Kind kind) {
    return measured == kind || (kind == Kind.SEND && measured == Kind.SEND_RECV);
  }

  private static double scaled(List<Transfers.Measured> ofGroup, long bytes) {
    double least = ofGroup.stream().mapToDouble(Transfers.Measured::ns).min().orElse(0);
    long sizes = ofGroup.stream().map(each -> each.key().bytes()).distinct().count();
    if (sizes >= ENOUGH_FOR_A_LINE) {
      return Math.max(least, Line.through(ofGroup).at(bytes));
    }
    Transfers.Measured nearest =
        ofGroup.stream()
            .min(Comparator.comparingDouble(each -> Math.abs(Math.log(ratio(each, bytes)))))
            .orElseThrow();
    return Math.max(least, nearest.ns() * ratio(nearest, bytes));
  }

  private static double ratio(Transfers.Measured measured, long bytes) {
    return (double) bytes / measured.key().bytes();
  }

  private static double byBandwidth(List<Transfers.Measured> ofKind, ProfileWork work) {
    double[] rates =
        ofKind.stream()
            .filter(each -> each.key().groupSize() > 1)
            .mapToDouble(
                each ->
                    wireBytes(work.kind(), each.key().groupSize(), each.key().bytes()) / each.ns())
            .sorted()
            .toArray();
    double least = ofKind.stream().mapToDouble(Transfers.Measured::ns).min().orElse(0);
    if (rates.length == 0) {
      return least;
    }
    double wire = wireBytes(work.kind(), work.size().groupSize(), work.size().bytes());
    return Math.max(least, wire / Statistics.quantile(rates, 0.5));
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
