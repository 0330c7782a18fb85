package org.stage.plugin.kineto.format;

import java.io.IOException;

/**
 * A place in a document: reads tokens at {@link Window#keep}, and more of the file where they are
 * not in memory yet.
 */
final class Cursor {
  /** How reading something ended. */
  enum Outcome {
    /** It is read. */
    DONE,
    /** It is broken. */
    BROKEN,
    /** The file ends in it. */
    END
  }

  final Window window;
  final Tokens tokens = new Tokens();
  private final Runnable gap = this::blanksAndCommas;
  private final Runnable scalar = this::scalar;

  Cursor(Window window) {
    this.window = window;
  }

  /** Goes over blanks and commas. */
  Outcome gap() throws IOException {
    return attempt(gap);
  }

  private void blanksAndCommas() {
    while (tokens.peek() == ',') {
      tokens.at++;
    }
    window.keep = tokens.at;
  }

  /** Skips a value of any size. */
  Outcome skip() throws IOException {
    int b = window.bytes[window.keep];
    if (b != '{' && b != '[') {
      return attempt(scalar);
    }
    tokens.beginSkip();
    while (true) {
      align();
      try {
        tokens.continueSkip();
        return Outcome.DONE;
      } catch (Signal signal) {
        window.keep = tokens.at;
        if (signal == Signal.BROKEN) {
          return Outcome.BROKEN;
        }
        if (!window.refill()) {
          return Outcome.END;
        }
      }
    }
  }

  /** What follows tells whether a string ended where it should, or swallowed the next key. */
  private void scalar() {
    tokens.skipValue();
    int next = tokens.peek();
    if (next != ',' && next != '}') {
      throw Signal.BROKEN;
    }
  }

  /** Lets the tokens begin at the place, in what is in memory. */
  void align() {
    tokens.bytes = window.bytes;
    tokens.at = window.keep;
    tokens.limit = window.limit;
  }

  /** Reads something, from its beginning again whenever more of the file is needed. */
  Outcome attempt(Runnable reading) throws IOException {
    while (true) {
      align();
      try {
        reading.run();
        return Outcome.DONE;
      } catch (Signal signal) {
        if (signal == Signal.BROKEN) {
          return Outcome.BROKEN;
        }
        if (!window.refill()) {
          return window.isEnded() ? Outcome.END : Outcome.BROKEN;
        }
      }
    }
  }
}
