package org.stage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class InterruptionTest {
  private static boolean stopped(Interruption interruption) {
    try {
      interruption.check();
      return false;
    } catch (CancellationException e) {
      return true;
    }
  }

  @Test
  void doesNotWaitWhereNothingIsToBeCleanedUp() {
    Interruption interruption = new Interruption();

    interruption.stop();

    assertThat(stopped(interruption)).isTrue();
  }

  @Test
  void waitsForTheCleanup() throws Exception {
    Interruption interruption = new Interruption();
    interruption.expectCleanup();
    Thread hook = new Thread(interruption::stop);

    hook.start();
    while (!stopped(interruption)) {
      Thread.onSpinWait();
    }
    hook.join(100);
    assertThat(hook.isAlive()).isTrue();

    interruption.finished();
    hook.join();
  }
}
