package org.stage.backend.simai;

import java.util.Optional;
import org.stage.api.diagnostic.InputException;
import org.stage.api.workload.Node;
import org.stage.api.workload.Roofline;
import org.stage.api.workload.Workload;

/** How long kernels take. */
final class Times {
  private final Optional<Roofline> roofline;

  private Times(Optional<Roofline> roofline) {
    this.roofline = roofline;
  }

  static Times of(Workload workload, Settings settings) {
    if (settings.unitTimes()) {
      return new Times(Optional.empty());
    }
    Optional<Roofline> roofline = Roofline.of(workload);
    if (roofline.isEmpty()) {
      String type = workload.precision().activations().text();
      throw new InputException(
          "hardware",
          workload.hardware().isEmpty()
              ? "is not given, so it is not known how long kernels take"
              : "has no peak for " + type + ", so it is not known how long kernels take",
          "Name the hardware, or set the option compute_times to unit for 1 ns each.");
    }
    return new Times(roofline);
  }

  /** Nanoseconds of {@code node}; without a roofline, anything above 0. */
  double of(Node.Compute node) {
    return roofline.map(known -> known.nanoseconds(node)).orElse(1.0);
  }

  /** How sums of them become entries of one column. */
  Rounding rounding() {
    return new Rounding(roofline.isEmpty());
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
