package org.stage.plugin.kineto.format;

/**
 * One event as it stands in the window, used again for the next: pieces of the window by start and
 * end, numbers as numbers.
 */
final class Event {
  static final int PIECES = Key.values().length;

  /** Where the scalar or raw value of a key begins and ends in the window; equal if absent. */
  final int[] starts = new int[PIECES];

  final int[] ends = new int[PIECES];

  byte[] bytes = new byte[0];
  boolean hasArgs;
  private long seen;

  void clear(byte[] window) {
    bytes = window;
    seen = 0;
    hasArgs = false;
  }

  void put(Key key, int start, int end) {
    int at = key.number();
    starts[at] = start;
    ends[at] = end;
    seen |= 1L << at;
  }

  void remove(Key key) {
    seen &= ~(1L << key.number());
  }

  boolean has(Key key) {
    return (seen & (1L << key.number())) != 0;
  }

  /** Microseconds as nanoseconds, or {@link Numbers#NONE}. */
  long time(Key key) {
    return has(key)
        ? Numbers.thousandths(bytes, starts[key.number()], ends[key.number()])
        : Numbers.NONE;
  }

  /** An integer from 0 to {@code most}, or {@code otherwise}. */
  long integer(Key key, long most, long otherwise) {
    return has(key)
        ? Numbers.integer(bytes, starts[key.number()], ends[key.number()], most, otherwise)
        : otherwise;
  }

  /** 64 bits, signed or not; 0 if absent. */
  long bits(Key key) {
    if (!has(key)) {
      return 0;
    }
    long value = Numbers.integer(bytes, starts[key.number()], ends[key.number()]);
    return value == Numbers.NONE ? 0 : value;
  }

  /** The number of the piece in {@code table}, or -1 if absent. */
  int intern(Key key, Interner table) {
    return has(key) ? table.intern(bytes, starts[key.number()], ends[key.number()]) : -1;
  }

  boolean is(Key key, char only) {
    int at = key.number();
    return has(key) && ends[at] - starts[at] == 1 && bytes[starts[at]] == only;
  }
}
