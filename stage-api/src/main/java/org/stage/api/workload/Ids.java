package org.stage.api.workload;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A short immutable list of node or tensor ids; 4 bytes an entry, as graphs have millions of them.
 */
public final class Ids {
  /** No ids. */
  public static final Ids NONE = new Ids(new int[0]);

  private final int[] ids;

  private Ids(int[] ids) {
    this.ids = ids;
  }

  /** These {@code ids}, in this order. */
  public static Ids of(int... ids) {
    return ids.length == 0 ? NONE : new Ids(ids.clone());
  }

  /** The distinct {@code ids}, ascending. */
  public static Ids sorted(IntStream ids) {
    int[] sorted = ids.sorted().distinct().toArray();
    return sorted.length == 0 ? NONE : new Ids(sorted);
  }

  /** How many. */
  public int size() {
    return ids.length;
  }

  /**
   * The id at {@code index}.
   *
   * @throws ArrayIndexOutOfBoundsException if there is none
   */
  public int get(int index) {
    return ids[index];
  }

  /** All of them in order. */
  public IntStream stream() {
    return Arrays.stream(ids);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Ids that && Arrays.equals(ids, that.ids);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(ids);
  }

  /** For example {@code [3, 7]}. */
  @Override
  public String toString() {
    return Arrays.toString(ids);
  }
}
