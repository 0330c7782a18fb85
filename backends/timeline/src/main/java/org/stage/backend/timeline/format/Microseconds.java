package org.stage.backend.timeline.format;

/** Prints times. */
public final class Microseconds {
  private Microseconds() {}

  /** {@code nanoseconds}, at least 0, as microseconds with three decimals: {@code 1.250}. */
  public static String text(long nanoseconds) {
    return nanoseconds / 1000 + "." + String.valueOf(1000 + nanoseconds % 1000).substring(1);
  }
}
