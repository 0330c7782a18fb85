package org.stage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import org.junit.jupiter.api.Test;

class ResultStreamTest {
  private static ResultStream failing(String message) {
    ResultStream stream =
        new ResultStream(
            new OutputStream() {
              @Override
              public void write(int b) throws IOException {
                throw new IOException(message);
              }
            });
    stream.write(1);
    stream.flush();
    return stream;
  }

  @Test
  void takesAReaderThatHasSeenEnoughForNoFailure() {
    assertThat(failing("Broken pipe").failure()).isNull();
  }

  @Test
  void remembersAFullDisk() {
    assertThat(failing("No space left on device").failure()).hasMessage("No space left on device");
  }
}
