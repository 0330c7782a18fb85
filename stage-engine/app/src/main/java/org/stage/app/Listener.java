package org.stage.app;

import java.nio.file.Path;
import java.util.List;
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

  /**
   * From now on there are unfinished files. The call removes them before it returns or throws;
   * where it can do neither, since the process is to end, {@code files} does, on any thread.
   */
  default void filesAtStake(Unfinished files) {}

  /**
   * Returns if the work goes on; asked again and again.
   *
   * @throws java.util.concurrent.CancellationException if it is to stop
   */
  default void checkCancelled() {}

  /**
   * Files that are not whole yet.
   *
   * @param folders the folder that they are for, and those that were made for it, outermost first
   * @param removal removes them
   */
  record Unfinished(List<Path> folders, Runnable removal) {
    /** Copies the list. */
    public Unfinished {
      folders = List.copyOf(folders);
    }
  }

  /** A piece of work. */
  interface Task extends Progress, AutoCloseable {
    @Override
    default void close() {}
  }
}
