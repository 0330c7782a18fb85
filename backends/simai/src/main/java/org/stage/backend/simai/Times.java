package org.stage.backend.simai;

import java.util.Optional;
import org.stage.api.diagnostic.InputException;
import org.stage.api.workload.Node;
import org.stage.api.workload.Roofline;
import org.stage.api.workload.Workload;

/** How long kernels take: as measured, where that is known, else as the roofline says. */
final class Times {
  private final boolean unit;
  private final Optional<Roofline> roofline;
  private final String unknown;
  private final double slowdown;

  private Times(boolean unit, Optional<Roofline> roofline, String unknown, double slowdown) {
    this.unit = unit;
    this.roofline = roofline;
    this.unknown = unknown;
    this.slowdown = slowdown;
  }

  static Times of(Workload workload, Settings settings) {
    String type = workload.precision().activations().text();
    return new Times(
        settings.unitTimes(),
        Roofline.of(workload),
        workload.hardware().isEmpty() ? "is not given" : "has no peak for " + type,
        1);
  }

  /** The same for devices that are slower by {@code factor}. */
  Times slowedBy(double factor) {
    return new Times(unit, roofline, unknown, slowdown * factor);
  }

  /**
   * Nanoseconds of {@code node}; anything above 0 where only communication is wanted.
   *
   * @throws InputException if they are not known
   */
  double of(Node.Compute node) {
    if (unit) {
      return 1;
    }
    if (node.details().durationNs().isPresent()) {
      return node.details().durationNs().getAsLong() * slowdown;
    }
    Roofline known =
        roofline.orElseThrow(
            () ->
                new InputException(
                    "hardware",
                    unknown + ", so it is not known how long " + node.name() + " takes",
                    "Name the hardware, or set the option compute_times to unit for 1 ns each."));
    return known.nanoseconds(node) * slowdown;
  }

  /** How sums of them become entries of one column. */
  Rounding rounding() {
    return new Rounding(unit);
  }

  /**
   * Whole nanoseconds for the entries of one column: what is cut off one is added to the next, so
   * that sums hold.
   */
  static final class Rounding {
    /** A sum that should be whole may fall short by the rounding of its summands. */
    private static final double SLACK = 1e-6;

    private final boolean unit;
    private double carried;

    private Rounding(boolean unit) {
      this.unit = unit;
    }

    long next(double nanoseconds) {
      if (nanoseconds == 0) {
        // What is carried waits for an entry that computes.
        return 0;
      }
      if (unit) {
        return 1;
      }
      double exact = carried + nanoseconds;
      long whole = (long) Math.floor(exact + SLACK);
      carried = exact - whole;
      return whole;
    }
  }
}
