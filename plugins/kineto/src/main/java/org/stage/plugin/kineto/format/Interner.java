package org.stage.plugin.kineto.format;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Numbers for pieces of bytes, from 0 on in the order in which they were met. */
final class Interner {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int EMPTY = -1;

  private final List<byte[]> values = new ArrayList<>();
  private int[] hashes = new int[64];
  private int[] table = new int[256];

  Interner(String... known) {
    Arrays.fill(table, EMPTY);
    for (String word : known) {
      byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
      intern(bytes, 0, bytes.length);
    }
  }

  /** The number of a piece, or -1 if it was never met. */
  int find(byte[] bytes, int start, int end) {
    return table[slot(bytes, start, end, hash(bytes, start, end))];
  }

  /** The number of a piece, a new one if it was never met. */
  int intern(byte[] bytes, int start, int end) {
    int hash = hash(bytes, start, end);
    int slot = slot(bytes, start, end, hash);
    int found = table[slot];
    if (found != EMPTY) {
      return found;
    }
    int number = values.size();
    values.add(Arrays.copyOfRange(bytes, start, end));
    if (number == hashes.length) {
      hashes = Arrays.copyOf(hashes, number * 2);
    }
    hashes[number] = hash;
    table[slot] = number;
    if (number * 2 > table.length) {
      rehash();
    }
    return number;
  }

  byte[] get(int number) {
    return values.get(number);
  }

  int size() {
    return values.size();
  }

  private int slot(byte[] bytes, int start, int end, int hash) {
    int mask = table.length - 1;
    int slot = hash & mask;
    while (table[slot] != EMPTY && !is(table[slot], bytes, start, end, hash)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private boolean is(int number, byte[] bytes, int start, int end, int hash) {
    if (hashes[number] != hash) {
      return false;
    }
    byte[] value = values.get(number);
    return Arrays.equals(value, 0, value.length, bytes, start, end);
  }

  private void rehash() {
    table = new int[table.length * 4];
    Arrays.fill(table, EMPTY);
    int mask = table.length - 1;
    for (int number = 0; number < values.size(); number++) {
      int slot = hashes[number] & mask;
      while (table[slot] != EMPTY) {
        slot = (slot + 1) & mask;
      }
      table[slot] = number;
    }
  }

  /** Eight bytes at a time: names of kernels are hundreds of bytes long. */
  private static int hash(byte[] bytes, int start, int end) {
    long hash = (long) end - start;
    int at = start;
    for (; at + 8 <= end; at += 8) {
      hash = mix(hash ^ (long) LONGS.get(bytes, at));
    }
    for (; at < end; at++) {
      hash = hash * 31 + bytes[at];
    }
    hash = mix(hash);
    return (int) (hash ^ (hash >>> 32));
  }

  private static long mix(long value) {
    long mixed = value * 0x9E3779B97F4A7C15L;
    return mixed ^ (mixed >>> 29);
  }
}
