package org.stage.app;

import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.plugin.Progress;

/**
 * Who is told what happens in a session, and may stop it. By default nobody is, and nobody does.
 */
public interface Listener {
  /** Nobody. */
  Listener NONE = new Listener() {};

  /** Takes what a user should know, as it turns up. */
  default void say(Diagnostic diagnostic) {}

  /** Takes the progress of a piece of work, which is closed at its end. */
  default Task begin(String name) {
    return (done, total, unit) -> {};
  }

  /** From now on there are unfinished files, which the call removes before it returns or throws. */
  default void filesAtStake() {}

  /**
   * Returns if the work goes on; asked again and again.
   *
   * @throws java.util.concurrent.CancellationException if it is to stop
   */
  default void checkCancelled() {}

  /** A piece of work. */
  interface Task extends Progress, AutoCloseable {
    @Override
    default void close() {}
  }
}
