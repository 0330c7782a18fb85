package org.stage.cli;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C. The JVM ends when its shutdown hooks have returned, whatever the other threads do: so the
 * hook asks the work to stop, and waits until it has removed its unfinished files.
 */
final class Interruption {
  /**
   * An exporter asks once a rank, which takes far less; one that never asks is not waited for
   * longer.
   */
  private static final long PATIENCE_SECONDS = 20;

  private final CountDownLatch finished = new CountDownLatch(1);
  private volatile boolean filesAtStake;
  private volatile boolean stopped;

  /**
   * Returns if the work goes on.
   *
   * @throws CancellationException if it is to stop
   */
  void check() {
    if (stopped) {
      throw new CancellationException("stopped");
    }
  }

  /**
   * Says that from now on there is something to clean up; before, Ctrl-C ends the process at once.
   */
  void expectCleanup() {
    filesAtStake = true;
  }

  /** Says that the command is done, message and all. */
  void finished() {
    finished.countDown();
  }

  void install() {
    Runtime.getRuntime().addShutdownHook(new Thread(this::stop, "stop"));
  }

  /** Asks the work to stop and waits for it. */
  void stop() {
    stopped = true;
    if (!filesAtStake) {
      return;
    }
    try {
      if (!finished.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        System.err.println("error: the export does not stop; the next run will remove its files");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
