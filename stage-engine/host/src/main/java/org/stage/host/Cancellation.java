package org.stage.host;

import java.util.concurrent.CancellationException;

/** The user's wish to stop; set from any thread. */
public final class Cancellation {
  private volatile boolean cancelled;

  /** Asks the work to stop. */
  public void cancel() {
    cancelled = true;
  }

  /**
   * Returns if the work goes on.
   *
   * @throws CancellationException if it is to stop
   */
  public void check() {
    if (cancelled) {
      throw new CancellationException("stopped");
    }
  }
}
