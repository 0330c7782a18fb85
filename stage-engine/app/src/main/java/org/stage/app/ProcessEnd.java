package org.stage.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.stage.host.ExportRun;
import org.stage.host.PluginCalls;

/**
 * What a program asks that sees its process end before the work is done: whose doing it is, and
 * what is to be removed.
 */
public final class ProcessEnd {
  private ProcessEnd() {}

  /**
   * A call into a plugin that has not returned.
   *
   * @param plugin whose it is: {@code plugin x 1.0.0 (x.jar)}
   * @param doing what it does: {@code export}
   */
  public record AtWork(String plugin, String doing) {
    private static AtWork of(PluginCalls.Call call) {
      return new AtWork(call.culprit(), call.doing());
    }
  }

  /** A plugin that is at work, if any is. */
  public static Optional<AtWork> running() {
    return PluginCalls.running().map(AtWork::of);
  }

  /** The plugin that has called {@code System.exit}, if that is why the JVM ends. */
  public static Optional<AtWork> exiting() {
    return PluginCalls.exiting().map(AtWork::of);
  }

  /** Tells {@code watcher} of each call into a plugin whose it is, before it is made. */
  public static void watch(Consumer<String> watcher) {
    PluginCalls.watch(watcher);
  }

  /**
   * Removes what a process has left that has died.
   *
   * @param folders what {@link Listener.Unfinished#folders} was in it
   */
  public static void discard(List<Path> folders) throws IOException {
    ExportRun.discard(folders);
  }
}
