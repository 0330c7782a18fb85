package org.stage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.stage.app.Listener;

@Timeout(10)
class InterruptionTest {
  private boolean removed;

  private static boolean stopped(Interruption interruption) {
    try {
      interruption.check();
      return false;
    } catch (CancellationException e) {
      return true;
    }
  }

  private final StringWriter err = new StringWriter();

  private Interruption waiting(long millis) {
    return new Interruption(
        new PrintWriter(err),
        code -> {
          throw new IllegalStateException("halts with " + code);
        },
        millis);
  }

  @Test
  void doesNotWaitWhereNothingIsToBeCleanedUp() {
    Interruption interruption = waiting(Long.MAX_VALUE);

    interruption.stop();

    assertThat(stopped(interruption)).isTrue();
  }

  @Test
  void waitsForTheCleanup() throws Exception {
    Interruption interruption = waiting(Long.MAX_VALUE);
    interruption.expectCleanup(unfinished());
    Thread hook = new Thread(interruption::stop);

    hook.start();
    while (!stopped(interruption)) {
      Thread.onSpinWait();
    }
    hook.join(100);
    assertThat(hook.isAlive()).isTrue();

    interruption.finished();
    hook.join();
    assertThat(interruption.abandoned()).isFalse();
    assertThat(removed).isFalse();
  }

  @Test
  void removesItselfWhatIsLeftWhereTheWorkDoesNotStop() {
    Interruption interruption = waiting(0);
    interruption.expectCleanup(unfinished());

    interruption.stop();

    assertThat(removed).isTrue();
  }

  @Test
  void hasNothingToDoWhenTheWorkIsDone() {
    Interruption interruption = waiting(Long.MAX_VALUE);
    interruption.expectCleanup(unfinished());
    interruption.finished();

    interruption.stop();

    assertThat(stopped(interruption)).isFalse();
    assertThat(removed).isFalse();
  }

  private Listener.Unfinished unfinished() {
    return new Listener.Unfinished(List.of(), () -> removed = true);
  }
}
