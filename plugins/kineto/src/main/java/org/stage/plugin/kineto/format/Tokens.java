package org.stage.plugin.kineto.format;

/**
 * Reads tokens in a window, more leniently than JSON: line breaks and control characters in
 * strings, backslashes before any character, words like {@code -nan}, and commas too many.
 */
final class Tokens {
  private static final int DEEPEST = 64;

  byte[] bytes = new byte[0];
  int at;
  int limit;

  /**
   * Whether a quotation mark ends a string only where JSON may go on behind it. Mends strings with
   * quotation marks that should have been escaped, and such as end in a backslash.
   */
  boolean mending;

  /** The last scalar: its bytes, without quotation marks. */
  int start;

  int end;
  boolean escaped;

  /** What is being skipped: a bit for each open bracket, 1 for an object. */
  private long objects;

  private int depth;
  private boolean afterValue;

  /** Skips blanks; the byte behind them, which is not consumed. */
  int peek() {
    int p = at;
    while (p < limit) {
      int b = bytes[p];
      if (b > ' ' || b < 0) {
        at = p;
        return b;
      }
      p++;
    }
    at = p;
    throw Signal.NEED_MORE;
  }

  /** Consumes a string as a key, and the colon. */
  void key() {
    if (peek() != '"') {
      throw Signal.BROKEN;
    }
    string(true);
    if (peek() != ':') {
      throw Signal.BROKEN;
    }
    at++;
  }

  /**
   * Consumes a scalar; false, with nothing consumed, if there is an array or object, or nothing.
   */
  boolean scalar() {
    int b = peek();
    switch (b) {
      case '"' -> string(false);
      case '{', '[', '}', ']', ',' -> {
        return false;
      }
      default -> word();
    }
    return true;
  }

  /** Consumes a value of any kind; nothing where it is missing. */
  void skipValue() {
    int b = peek();
    if (b == '{' || b == '[') {
      skipContainer();
    } else if (b != ',' && b != '}' && b != ']') {
      scalar();
    }
  }

  private void skipContainer() {
    beginSkip();
    continueSkip();
  }

  /** Prepares to skip the array or object that begins here, which need not be in the window. */
  void beginSkip() {
    objects = 0;
    depth = 0;
    afterValue = false;
  }

  /** Goes on skipping; may be called again after a refill, {@link #at} being all that is needed. */
  void continueSkip() {
    do {
      int b = peek();
      switch (b) {
        case '{', '[' -> open(b);
        case '}', ']' -> close(b);
        case ',', ':' -> {
          afterValue = false;
          at++;
        }
        default -> element(b);
      }
    } while (depth > 0);
  }

  private void open(int b) {
    if (afterValue || depth == DEEPEST) {
      throw Signal.BROKEN;
    }
    depth++;
    objects = (objects << 1) | (b == '{' ? 1 : 0);
    at++;
  }

  private void close(int b) {
    if (depth == 0 || (objects & 1) != (b == '}' ? 1 : 0)) {
      throw Signal.BROKEN;
    }
    objects >>>= 1;
    depth--;
    afterValue = true;
    at++;
  }

  private void element(int b) {
    if (afterValue) {
      throw Signal.BROKEN;
    }
    if (b == '"') {
      // in an object a string may be a key or a value: what stands before it tells
      string(mending && (objects & 1) == 1 && !followsColon());
    } else {
      word();
    }
    afterValue = true;
  }

  private boolean followsColon() {
    int p = at - 1;
    while (p >= 0 && bytes[p] <= ' ' && bytes[p] >= 0) {
      p--;
    }
    return p >= 0 && bytes[p] == ':';
  }

  private void string(boolean key) {
    final byte[] in = bytes;
    final int stop = limit;
    int p = at + 1;
    boolean escapes = false;
    while (p < stop) {
      byte b = in[p];
      if (b == '"') {
        if (!mending || mayEnd(p + 1, key)) {
          token(at + 1, p, escapes);
          return;
        }
      } else if (b == '\\') {
        escapes = true;
        p++;
        if (mending && p < stop && in[p] == '"' && mayEnd(p + 1, key)) {
          token(at + 1, p, true);
          return;
        }
      }
      p++;
    }
    throw Signal.NEED_MORE;
  }

  private void token(int from, int to, boolean escapes) {
    start = from;
    end = to;
    escaped = escapes;
    at = to + 1;
  }

  private boolean mayEnd(int from, boolean key) {
    int p = blanks(from);
    if (key) {
      return bytes[p] == ':';
    }
    if (bytes[p] != ',') {
      return bytes[p] == '}' || bytes[p] == ']';
    }
    byte next = bytes[blanks(p + 1)];
    return next == '"' || next == '{' || next == '[' || next == '-' || Character.isDigit(next);
  }

  private int blanks(int from) {
    int p = from;
    while (p < limit && bytes[p] <= ' ' && bytes[p] >= 0) {
      p++;
    }
    if (p >= limit) {
      throw Signal.NEED_MORE;
    }
    return p;
  }

  private void word() {
    int p = at;
    while (p < limit && isWord(bytes[p])) {
      p++;
    }
    if (p >= limit) {
      throw Signal.NEED_MORE;
    }
    if (p == at) {
      throw Signal.BROKEN;
    }
    start = at;
    end = p;
    escaped = false;
    at = p;
  }

  private static boolean isWord(byte b) {
    return (b >= '0' && b <= '9')
        || (b >= 'a' && b <= 'z')
        || (b >= 'A' && b <= 'Z')
        || b == '-'
        || b == '+'
        || b == '.'
        || b == '#'
        || b == '('
        || b == ')'
        || b == '_';
  }
}
