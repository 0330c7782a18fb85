package org.stage.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Standard output, remembering why it failed: a {@code PrintWriter} forgets, but a full disk is an
 * error, and a reader that has seen enough ({@code stage models | head -1}) is not.
 */
final class ResultStream extends OutputStream {
  private final OutputStream to;
  private @Nullable IOException failure;

  ResultStream(OutputStream to) {
    this.to = to;
  }

  /** Why output was lost, unless it is that nobody wanted it. */
  @Nullable IOException failure() {
    if (failure == null) {
      return null;
    }
    String message = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
    return message.contains("pipe") ? null : failure;
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    if (failure == null) {
      try {
        to.write(bytes, offset, length);
      } catch (IOException e) {
        failure = e;
      }
    }
  }

  @Override
  public void flush() {
    if (failure == null) {
      try {
        to.flush();
      } catch (IOException e) {
        failure = e;
      }
    }
  }
}
