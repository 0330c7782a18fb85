package org.stage.plugin.kineto.format;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;

/** Numbers from their digits: a double would lose nanoseconds of times since 1970. */
final class Numbers {
  /** No number, or one that is too large. */
  static final long NONE = Long.MIN_VALUE;

  private static final int THOUSANDTHS = 3;

  /** A thousand of it fit into a long. */
  private static final long LARGEST = 9_000_000_000_000_000L;

  private Numbers() {}

  /** A decimal number times 1000, rounded: microseconds as nanoseconds; else {@link #NONE}. */
  static long thousandths(byte[] bytes, int start, int end) {
    int at = start;
    boolean negative = at < end && bytes[at] == '-';
    if (negative) {
      at++;
    }
    int digits = at;
    long value = 0;
    while (at < end && isDigit(bytes[at]) && value < 1L << 52) {
      value = value * 10 + (bytes[at++] - '0');
    }
    if (at == digits || value > LARGEST) {
      return slow(bytes, start, end);
    }
    int decimals = 0;
    if (at < end && bytes[at] == '.') {
      at++;
      while (at < end && isDigit(bytes[at]) && decimals < THOUSANDTHS) {
        value = value * 10 + (bytes[at++] - '0');
        decimals++;
      }
    }
    if (at < end) {
      return slow(bytes, start, end);
    }
    for (; decimals < THOUSANDTHS; decimals++) {
      value *= 10;
    }
    return negative ? -value : value;
  }

  /** An integer, in the 64 bits of a signed or an unsigned one; else {@link #NONE}. */
  static long integer(byte[] bytes, int start, int end) {
    int at = start;
    boolean negative = at < end && bytes[at] == '-';
    if (negative) {
      at++;
    }
    if (at == end || end - at > 20) {
      return NONE;
    }
    long value = 0;
    for (; at < end; at++) {
      if (!isDigit(bytes[at])) {
        return NONE;
      }
      value = value * 10 + (bytes[at] - '0');
    }
    return negative ? -value : value;
  }

  /** An integer that is not negative and no larger than {@code most}; else {@code otherwise}. */
  static long integer(byte[] bytes, int start, int end, long most, long otherwise) {
    long value = end - start > 18 ? NONE : integer(bytes, start, end);
    return value < 0 || value > most ? otherwise : value;
  }

  /** Exponents, a fourth decimal, a leading point: all rare. */
  private static long slow(byte[] bytes, int start, int end) {
    // the length bounds the work: a number of a million digits is none
    if (end - start > 40 || end == start) {
      return NONE;
    }
    try {
      BigDecimal value =
          new BigDecimal(new String(bytes, start, end - start, StandardCharsets.UTF_8));
      if (value.precision() - value.scale() > 18 || value.scale() > 100) {
        return NONE;
      }
      return value.movePointRight(THOUSANDTHS).setScale(0, RoundingMode.HALF_UP).longValueExact();
    } catch (ArithmeticException | NumberFormatException e) {
      return NONE;
    }
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }
}
