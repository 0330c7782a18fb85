package org.stage.plugin.kineto.format;

/** Sorts rows by a comparison of their columns, without boxing; stable. */
final class Order {
  private Order() {}

  /** Compares two rows. */
  @FunctionalInterface
  interface Comparison {
    int compare(int a, int b);
  }

  /** The rows from 0 to {@code size} in order. */
  static int[] of(int size, Comparison comparison) {
    int[] rows = new int[size];
    for (int i = 0; i < size; i++) {
      rows[i] = i;
    }
    int[] other = new int[size];
    for (int width = 1; width < size && width > 0; width <<= 1) {
      for (int from = 0; from < size; from += 2 * width) {
        int middle = (int) Math.min(size, (long) from + width);
        int to = (int) Math.min(size, (long) from + 2L * width);
        merge(rows, other, from, middle, to, comparison);
        if (to == size) {
          break;
        }
      }
      int[] swap = rows;
      rows = other;
      other = swap;
    }
    return rows;
  }

  private static void merge(
      int[] from, int[] into, int begin, int middle, int end, Comparison comparison) {
    // most files are almost in order
    if (middle >= end || comparison.compare(from[middle - 1], from[middle]) <= 0) {
      System.arraycopy(from, begin, into, begin, end - begin);
      return;
    }
    int left = begin;
    int right = middle;
    for (int i = begin; i < end; i++) {
      if (right >= end || (left < middle && comparison.compare(from[left], from[right]) <= 0)) {
        into[i] = from[left++];
      } else {
        into[i] = from[right++];
      }
    }
  }
}
