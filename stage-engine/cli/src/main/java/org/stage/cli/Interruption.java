package org.stage.cli;

import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.app.Listener;
import org.stage.app.ProcessEnd;
import org.stage.app.ProcessEnd.AtWork;

/**
 * The end of the process before its work is done: Ctrl-C, a termination, or a plugin that calls
 * {@code System.exit}. The JVM ends when its shutdown hooks have returned, whatever the other
 * threads do. So the hook asks the work to stop and waits until it has removed its unfinished
 * files; where it does not stop, the hook removes them itself and says which plugin was at work.
 */
final class Interruption {
  /** An exporter asks once a rank, which takes far less; who waits for Ctrl-C wants a second. */
  private static final long PATIENCE_MILLIS = 500;

  private final CountDownLatch finished = new CountDownLatch(1);
  private final PrintWriter err;
  private final IntConsumer halt;
  private final long patienceMillis;
  private volatile Listener.@Nullable Unfinished unfinished;
  private volatile @Nullable Launcher launcher;
  private volatile boolean stopped;
  private volatile boolean orphaned;
  private volatile boolean abandoned;

  Interruption(PrintWriter err) {
    this(err, Runtime.getRuntime()::halt, PATIENCE_MILLIS);
  }

  /**
   * For tests.
   *
   * @param err where messages go
   * @param halt ends the JVM at once
   * @param patienceMillis how long work is waited for that has been asked to stop
   */
  Interruption(PrintWriter err, IntConsumer halt, long patienceMillis) {
    this.err = err;
    this.halt = halt;
    this.patienceMillis = patienceMillis;
  }

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

  /** Whether the process ends without the work, of which nobody wants to hear any more. */
  boolean abandoned() {
    return abandoned;
  }

  /**
   * Says that from now on there is something to clean up; before, Ctrl-C ends the process at once.
   */
  void expectCleanup(Listener.Unfinished files) {
    unfinished = files;
    @Nullable Launcher told = launcher;
    if (told != null) {
      told.writes(files);
    }
  }

  /** Says that the command is done, message and all. */
  void finished() {
    finished.countDown();
    forget();
  }

  /** From now on it hears of the end of the JVM, and the launcher of what plugins do. */
  void install() {
    Runtime.getRuntime().addShutdownHook(new Thread(this::stop, "stop"));
    launcher = Launcher.watching(this);
  }

  /** Ends the process, since the one that started it has gone. */
  void orphan() {
    orphaned = true;
    System.exit(ExitCode.FAILED);
  }

  /** Asks the work to stop and waits for it, for a while; what it leaves then is removed. */
  void stop() {
    if (isFinished(0)) {
      return;
    }
    Optional<AtWork> exit = orphaned ? Optional.empty() : ProcessEnd.exiting();
    stopped = true;
    if (exit.isEmpty() && unfinished != null && isFinished(patienceMillis)) {
      return;
    }
    Optional<AtWork> running = ProcessEnd.running();
    abandoned = exit.isPresent() || running.isPresent();
    Listener.@Nullable Unfinished left = unfinished;
    if (left != null) {
      left.removal().run();
    }
    forget();
    if (exit.isPresent()) {
      say(exit.get(), "ends the JVM in", "Remove it, or report it to its author.");
      halt.accept(ExitCode.FAILED);
    } else {
      running.ifPresent(
          call -> say(call, "did not stop in", "It was left, and what it had written is removed."));
    }
  }

  private void forget() {
    @Nullable Launcher told = launcher;
    if (told != null) {
      told.forget();
    }
  }

  private void say(AtWork call, String message, String remedy) {
    Diagnostic error = Diagnostic.error(call.plugin(), message + " " + call.doing(), remedy);
    err.println(Stage.line(error));
    err.flush();
  }

  private boolean isFinished(long millis) {
    try {
      return finished.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
