package org.stage.api.workload;

/**
 * Names whose numbers go on: after {@code mb3.layers.17} and {@code mb4.layers.17} comes {@code
 * mb5.layers.17}. A number is a run of digits without a leading zero, of nine digits at most; other
 * digits are letters.
 */
final class NumberedName {
  private static final int MOST_DIGITS = 9;

  private NumberedName() {}

  /** Whether two names differ in numbers only. */
  static boolean sameWords(String first, String second) {
    int i = 0;
    int j = 0;
    while (i < first.length() && j < second.length()) {
      int a = end(first, i);
      int b = end(second, j);
      if (a > i && b > j) {
        i = a;
        j = b;
      } else if (a > i || b > j || first.charAt(i) != second.charAt(j)) {
        return false;
      } else {
        i++;
        j++;
      }
    }
    return i == first.length() && j == second.length();
  }

  /** The name {@code index} steps after the first, where both have the same words. */
  static String on(String first, String second, int index) {
    if (first.equals(second)) {
      return first;
    }
    StringBuilder name = new StringBuilder();
    int i = 0;
    int j = 0;
    while (i < first.length()) {
      int a = end(first, i);
      int b = end(second, j);
      if (a > i) {
        long from = Long.parseLong(first, i, a, 10);
        name.append(from + index * (Long.parseLong(second, j, b, 10) - from));
      } else {
        name.append(first.charAt(i));
        a = i + 1;
        b = j + 1;
      }
      i = a;
      j = b;
    }
    return name.toString();
  }

  /** Where the number ends that begins at {@code from}; {@code from} if none does. */
  private static int end(String name, int from) {
    boolean begins = from == 0 || !isDigit(name.charAt(from - 1));
    int end = from;
    while (end < name.length() && isDigit(name.charAt(end))) {
      end++;
    }
    int digits = end - from;
    boolean padded = digits > 1 && name.charAt(from) == '0';
    return begins && digits <= MOST_DIGITS && !padded ? end : from;
  }

  private static boolean isDigit(char c) {
    return '0' <= c && c <= '9';
  }
}
