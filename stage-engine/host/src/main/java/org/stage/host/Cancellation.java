package org.stage.host;

/** The user's wish to stop, looked up again and again while work goes on. */
@FunctionalInterface
public interface Cancellation {
  /**
   * Returns if the work goes on.
   *
   * @throws java.util.concurrent.CancellationException if it is to stop
   */
  void check();
}
