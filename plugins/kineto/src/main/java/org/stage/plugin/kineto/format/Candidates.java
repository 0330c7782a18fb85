package org.stage.plugin.kineto.format;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Finds where to go on behind a broken place. */
final class Candidates {
  private static final List<byte[]> EVENT_KEYS =
      words("ph", "id", "name", "cat", "pid", "tid", "ts", "dur", "args", "s", "bp");
  private static final List<byte[]> TOP_KEYS =
      words(
          "traceEvents",
          "distributedInfo",
          "deviceProperties",
          "computeProperties",
          "baseTimeNanoseconds");

  /** No key with its quotation marks and some blanks is longer. */
  private static final int LONGEST = 64;

  private final Window window;

  Candidates(Window window) {
    this.window = window;
  }

  private static List<byte[]> words(String... words) {
    return List.of(words).stream()
        .map(word -> ('"' + word + '"').getBytes(StandardCharsets.UTF_8))
        .toList();
  }

  /**
   * Where the next event may begin, as a position in the window behind {@link Window#keep}; -1 if
   * nowhere in what is left, or too far away to keep all of it.
   *
   * @param skip how many bytes behind {@link Window#keep} to begin
   */
  int event(int skip) throws IOException {
    int done = skip;
    while (true) {
      int p = window.keep + done;
      for (; p < safeEnd(); p++) {
        if (window.bytes[p] == '{' && startsElement(p) && isKey(p + 1, EVENT_KEYS)) {
          return p;
        }
      }
      done = p - window.keep;
      if (!window.refill()) {
        return -1;
      }
    }
  }

  /** Moves {@link Window#keep} to the next known key of the document; false if there is none. */
  boolean topKey() throws IOException {
    while (true) {
      int p = window.keep;
      for (; p < safeEnd(); p++) {
        if (window.bytes[p] == '"' && startsMember(p) && isKey(p, TOP_KEYS)) {
          window.keep = p;
          return true;
        }
      }
      window.keep = Math.max(window.keep, p);
      if (!window.refill()) {
        return false;
      }
    }
  }

  private int safeEnd() {
    return window.isEnded() ? window.limit : window.limit - LONGEST;
  }

  /** Behind a comma, bracket or line break, and not as the value of a key. */
  private boolean startsElement(int at) {
    int p = at - 1;
    while (p >= 0 && isBlank(window.bytes[p])) {
      if (window.bytes[p] == '\n') {
        return !endsWithColon(p);
      }
      p--;
    }
    return p >= 0 && (window.bytes[p] == ',' || window.bytes[p] == '[' || window.bytes[p] == '}');
  }

  private boolean endsWithColon(int before) {
    int p = before;
    while (p >= 0 && isBlank(window.bytes[p])) {
      p--;
    }
    return p >= 0 && window.bytes[p] == ':';
  }

  private boolean startsMember(int at) {
    int p = at - 1;
    while (p >= 0 && isBlank(window.bytes[p])) {
      if (window.bytes[p] == '\n') {
        return true;
      }
      p--;
    }
    return p < 0 || window.bytes[p] == ',' || window.bytes[p] == '{' || window.bytes[p] == ']';
  }

  private boolean isKey(int from, List<byte[]> keys) {
    int p = from;
    while (p < window.limit && isBlank(window.bytes[p])) {
      p++;
    }
    for (byte[] key : keys) {
      if (matches(key, p)) {
        return followsColon(p + key.length);
      }
    }
    return false;
  }

  private boolean matches(byte[] key, int from) {
    if (from + key.length > window.limit) {
      return false;
    }
    for (int i = 0; i < key.length; i++) {
      if (window.bytes[from + i] != key[i]) {
        return false;
      }
    }
    return true;
  }

  private boolean followsColon(int from) {
    int p = from;
    while (p < window.limit && isBlank(window.bytes[p])) {
      p++;
    }
    return p < window.limit && window.bytes[p] == ':';
  }

  private static boolean isBlank(byte b) {
    return b <= ' ' && b >= 0;
  }
}
