package org.stage.backend.simai;

import org.stage.api.diagnostic.InputException;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Node;
import org.stage.api.workload.Workload;
import org.stage.sim.cost.KernelTimes;

/** How long kernels take, and how that becomes whole nanoseconds. */
final class Times {
  private final boolean unit;
  private final KernelTimes known;
  private final String unknown;

  private Times(boolean unit, KernelTimes known, String unknown) {
    this.unit = unit;
    this.known = known;
    this.unknown = unknown;
  }

  static Times of(Workload workload, Settings settings) {
    DataType type = workload.precision().activations();
    return new Times(
        settings.unitTimes(),
        KernelTimes.of(workload.hardware(), type),
        workload.hardware().isEmpty() ? "is not given" : "has no peak for " + type.text());
  }

  /** The same for devices that are slower by {@code factor}. */
  Times slowedBy(double factor) {
    return new Times(unit, known.slowedBy(factor), unknown);
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
    return known
        .nanoseconds(node)
        .orElseThrow(
            () ->
                new InputException(
                    "hardware",
                    unknown + ", so it is not known how long " + node.name() + " takes",
                    "Name the hardware, or set the option compute_times to unit for 1 ns each."));
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
