package org.stage.backend.chakra;

/**
 * The durations of one rank's compute nodes in whole microseconds. What is cut off one is added to
 * the next, so that sums hold.
 */
final class Durations {
  /** A sum that should be whole may fall short by the rounding of its summands. */
  private static final double SLACK = 1e-6;

  private final Device device;
  private double carried;

  Durations(Device device) {
    this.device = device;
  }

  /** The next node's, from its roofline; 0, which means unknown, without a device. */
  long next(long operations, long bytes, boolean root) {
    return device.known() ? next(device.nanoseconds(operations, bytes), root) : 0;
  }

  /** The next node's, of which it is known. */
  long next(double nanoseconds, boolean root) {
    double exact = carried + nanoseconds / 1e3;
    // a simulation that starts with an event of no length ends there
    long whole = Math.max(root ? 1 : 0, (long) Math.floor(exact + SLACK));
    carried = exact - whole;
    return whole;
  }
}
