package org.stage.plugin.kineto.format;

import java.util.ArrayList;
import java.util.List;

/** Ints in chunks: it grows without copying, so its peak is its size. */
public final class IntColumn {
  private static final int BITS = 14;
  private static final int MASK = (1 << BITS) - 1;

  private final List<int[]> chunks = new ArrayList<>();
  private int size;

  /** Appends {@code value}. */
  public void add(int value) {
    if ((size & MASK) == 0) {
      chunks.add(new int[1 << BITS]);
    }
    chunks.get(size >> BITS)[size & MASK] = value;
    size++;
  }

  /** Puts another value at {@code index}. */
  void set(int index, int value) {
    chunks.get(index >> BITS)[index & MASK] = value;
  }

  /** The value at {@code index}. */
  public int get(int index) {
    return chunks.get(index >> BITS)[index & MASK];
  }

  /** How many there are. */
  public int size() {
    return size;
  }
}
