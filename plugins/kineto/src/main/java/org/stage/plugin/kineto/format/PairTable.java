package org.stage.plugin.kineto.format;

import java.util.Arrays;

/** Numbers for pairs of numbers, from 0 on in the order in which they were met. */
final class PairTable {
  private long[] pairs = new long[16];
  private int[] table = new int[64];
  private int size;

  PairTable() {
    Arrays.fill(table, -1);
  }

  int intern(int first, int second) {
    long pair = ((long) first << 32) | (second & 0xFFFFFFFFL);
    int slot = slot(pair);
    if (table[slot] >= 0) {
      return table[slot];
    }
    if (size == pairs.length) {
      pairs = Arrays.copyOf(pairs, size * 2);
    }
    pairs[size] = pair;
    table[slot] = size++;
    if (size * 2 > table.length) {
      table = new int[table.length * 4];
      Arrays.fill(table, -1);
      for (int i = 0; i < size; i++) {
        table[slot(pairs[i])] = i;
      }
    }
    return size - 1;
  }

  int first(int number) {
    return (int) (pairs[number] >> 32);
  }

  int size() {
    return size;
  }

  private int slot(long pair) {
    long mixed = pair * 0x9E3779B97F4A7C15L;
    int mask = table.length - 1;
    int slot = (int) (mixed >>> 32) & mask;
    while (table[slot] >= 0 && pairs[table[slot]] != pair) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }
}
