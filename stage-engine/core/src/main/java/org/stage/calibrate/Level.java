package org.stage.calibrate;

import java.util.Locale;

/** How the duration of a piece of work is known, from the best to none. */
public enum Level {
  /** Set by hand. */
  INJECTED("set by hand"),
  /** The same work was measured. */
  EXACT("same shape"),
  /** Kernels were measured at its place that together do it. */
  COMPOSED("put together"),
  /** The same product was measured with its two operands exchanged. */
  SWAPPED("transposed"),
  /** Similar work was measured, up to four times as large or as small; scaled by its size. */
  SCALED("scaled from similar"),
  /** Work of its class was measured; from the class's throughput. */
  CLASS("by class"),
  /** Nothing like it was measured; the exporter's estimate stays. */
  ANALYTIC("estimated");

  private final String words;

  Level(String words) {
    this.words = words;
  }

  /** In words, for people. */
  public String words() {
    return words;
  }

  /** The name in files: {@code exact}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether a measurement, or a hand, stands behind it. */
  public boolean isKnown() {
    return this != ANALYTIC;
  }
}
