package org.stage.api.plugin;

/** Takes word of progress; may be called from any thread, and often. */
public interface Progress {
  /** A sink that shows nothing. */
  Progress NONE = (done, total, unit) -> {};

  /**
   * Says how far the work is.
   *
   * @param done units done
   * @param total units in all
   * @param unit what is counted, plural: {@code ranks}
   */
  void report(long done, long total, String unit);
}
