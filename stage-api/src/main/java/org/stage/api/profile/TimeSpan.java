package org.stage.api.profile;

/**
 * From the beginning of a first event to the end of a last one.
 *
 * @param startNs when the first began, nanoseconds on the clock of {@link Runs#startNs}
 * @param endNs when the last was over, nanoseconds on that clock
 */
public record TimeSpan(long startNs, long endNs) {
  /** Of what has no times. */
  public static final TimeSpan NONE = new TimeSpan(0, 0);
}
