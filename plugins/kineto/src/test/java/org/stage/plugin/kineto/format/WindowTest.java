package org.stage.plugin.kineto.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class WindowTest {
  /** What is kept is read again after each refill: 256 steps of 64 KiB would read 2 GiB. */
  @Test
  void aLongValueIsKeptInFewRefills() throws IOException {
    Window window = new Window(new ByteArrayInputStream(new byte[16 << 20]), 1 << 17);
    int refills = 0;
    while (window.refill()) {
      refills++;
    }

    assertThat(window.limit).isEqualTo(16 << 20);
    assertThat(refills).isLessThan(20);
  }
}
