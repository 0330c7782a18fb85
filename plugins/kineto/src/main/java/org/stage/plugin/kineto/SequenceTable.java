package org.stage.plugin.kineto;

import java.util.Arrays;
import org.stage.plugin.kineto.format.Links;

/** Numbers by numbers that are not negative; the first that was put stays. */
final class SequenceTable {
  private int[] keys = new int[64];
  private int[] values = new int[64];
  private int size;

  SequenceTable() {
    Arrays.fill(keys, -1);
  }

  void put(int key, int value) {
    int slot = slot(key);
    if (keys[slot] == key) {
      return;
    }
    keys[slot] = key;
    values[slot] = value;
    size++;
    if (size * 2 > keys.length) {
      grow();
    }
  }

  private void grow() {
    int[] oldKeys = keys;
    int[] oldValues = values;
    keys = new int[oldKeys.length * 4];
    values = new int[keys.length];
    Arrays.fill(keys, -1);
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldKeys[i] >= 0) {
        int slot = slot(oldKeys[i]);
        keys[slot] = oldKeys[i];
        values[slot] = oldValues[i];
      }
    }
  }

  /** The value of {@code key}, or {@link Links#NONE}. */
  int get(int key) {
    if (key < 0) {
      return Links.NONE;
    }
    int slot = slot(key);
    return keys[slot] == key ? values[slot] : Links.NONE;
  }

  private int slot(int key) {
    int mask = keys.length - 1;
    int slot = (int) ((key * 0x9E3779B97F4A7C15L) >>> 32) & mask;
    while (keys[slot] >= 0 && keys[slot] != key) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }
}
