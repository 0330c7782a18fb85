package org.stage.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.stage.host.Cancellation;

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

  private final Cancellation cancellation = new Cancellation();
  private final CountDownLatch finished = new CountDownLatch(1);
  private volatile boolean filesAtStake;

  /** The wish to stop, for whoever does the work. */
  Cancellation cancellation() {
    return cancellation;
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
    cancellation.cancel();
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
