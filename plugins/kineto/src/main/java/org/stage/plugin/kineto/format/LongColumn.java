package org.stage.plugin.kineto.format;

import java.util.ArrayList;
import java.util.List;

/** Longs in chunks: it grows without copying, so its peak is its size. */
public final class LongColumn {
  private static final int BITS = 14;
  private static final int MASK = (1 << BITS) - 1;

  private final List<long[]> chunks = new ArrayList<>();
  private int size;

  /** Appends {@code value}. */
  public void add(long value) {
    if ((size & MASK) == 0) {
      chunks.add(new long[1 << BITS]);
    }
    chunks.get(size >> BITS)[size & MASK] = value;
    size++;
  }

  /** The value at {@code index}. */
  public long get(int index) {
    return chunks.get(index >> BITS)[index & MASK];
  }

  /** How many there are. */
  public int size() {
    return size;
  }
}
