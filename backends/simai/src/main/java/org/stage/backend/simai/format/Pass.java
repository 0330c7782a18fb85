package org.stage.backend.simai.format;

/**
 * One pass of a row: it computes, then communicates.
 *
 * @param nanoseconds of computing, 0 to {@link #MAX_NANOSECONDS}
 * @param comm what follows
 */
public record Pass(long nanoseconds, Comm comm) {
  /** Nothing at all. */
  public static final Pass NONE = new Pass(0, Comm.NONE);

  /**
   * The longest that SimAI can compute in one entry, nanoseconds: it counts through 32 bits and,
   * rounded to a float, does not come to an end beyond.
   */
  public static final long MAX_NANOSECONDS = 2_147_483_519;

  /**
   * Checks the time.
   *
   * @throws IllegalArgumentException if the simulator would not end on it
   */
  public Pass {
    if (nanoseconds < 0 || nanoseconds > MAX_NANOSECONDS) {
      throw new IllegalArgumentException("a pass of " + nanoseconds + " ns");
    }
  }
}
