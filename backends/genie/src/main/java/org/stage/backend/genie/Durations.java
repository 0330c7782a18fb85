package org.stage.backend.genie;

/**
 * Durations of one rank in whole microseconds, which is what a trace can say. Each is 1 at least,
 * as Genie must not wait for nothing; what was added or cut off is made good by the nodes that
 * follow.
 */
final class Durations {
  /** A sum that should be whole may fall short by the rounding of its summands. */
  private static final double SLACK = 1e-6;

  private double exact;
  private long written;

  /** The next node's. */
  long next(double nanoseconds) {
    exact += nanoseconds / 1e3;
    long micros = Math.max(1, (long) Math.floor(exact - written + SLACK));
    written = Math.addExact(written, micros);
    return micros;
  }

  /** By how much the sum exceeds the exact one at the end, microseconds; may be below 0. */
  double surplus() {
    return written - exact;
  }

  /** The sum, microseconds. */
  long total() {
    return written;
  }
}
