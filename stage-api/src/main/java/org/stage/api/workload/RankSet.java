package org.stage.api.workload;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A set of ranks as ascending disjoint ranges; prints as {@code 0-3,16-19}. A rank is found by
 * halving the list of ranges.
 */
public final class RankSet {
  private final List<Range> ranges;
  private final int[] firsts;

  /** By range, how many ranks the set has up to the range's end. */
  private final int[] upTo;

  /**
   * Consecutive ranks.
   *
   * @param first the lowest, at least 0
   * @param last the highest, inclusive
   */
  public record Range(int first, int last) {
    /**
     * Checks the ends.
     *
     * @throws IllegalArgumentException if the range is empty or begins below 0
     */
    public Range {
      if (first < 0 || last < first) {
        throw new IllegalArgumentException("'" + first + "-" + last + "' is not a range of ranks");
      }
    }

    @Override
    public String toString() {
      return first == last ? "" + first : first + "-" + last;
    }
  }

  /**
   * Copies the list.
   *
   * @param ranges ascending, with a gap between each and the next
   * @throws IllegalArgumentException if a range does not begin beyond the end of the one before,
   *     with a gap
   * @throws ArithmeticException if there are 2^31 ranks or more
   */
  public RankSet(List<Range> ranges) {
    this.ranges = List.copyOf(ranges);
    this.firsts = this.ranges.stream().mapToInt(Range::first).toArray();
    this.upTo = new int[firsts.length];
    for (int i = 0; i < upTo.length; i++) {
      Range range = this.ranges.get(i);
      if (i > 0 && range.first() <= this.ranges.get(i - 1).last() + 1L) {
        throw new IllegalArgumentException(
            range + " does not follow " + this.ranges.get(i - 1) + " with a gap");
      }
      long below = i == 0 ? 0 : upTo[i - 1];
      upTo[i] = Math.toIntExact(below + range.last() - range.first() + 1);
    }
  }

  /**
   * The distinct ranks of an ascending stream.
   *
   * @throws IllegalArgumentException if the stream descends
   */
  public static RankSet of(IntStream ascending) {
    List<Range> ranges = new ArrayList<>();
    ascending.forEachOrdered(rank -> add(ranges, new Range(rank, rank)));
    return new RankSet(ranges);
  }

  /**
   * Adds a range that begins nowhere before the last one does, joining the two where they touch.
   */
  private static void add(List<Range> ranges, Range next) {
    Range last = ranges.isEmpty() ? null : ranges.get(ranges.size() - 1);
    if (last != null && last.first() <= next.first() && next.first() <= last.last() + 1L) {
      Range joined = new Range(last.first(), Math.max(last.last(), next.last()));
      ranges.set(ranges.size() - 1, joined);
    } else {
      ranges.add(next);
    }
  }

  /**
   * Reads {@code 0-7,64}, in any order and with overlaps.
   *
   * @throws IllegalArgumentException if the text is not of that form
   */
  public static RankSet parse(String text) {
    if (!text.matches("\\d{1,9}(-\\d{1,9})?(,\\d{1,9}(-\\d{1,9})?)*")) {
      throw new IllegalArgumentException("'" + text + "' is not a list of ranks such as 0-7,64");
    }
    List<Range> parts = new ArrayList<>();
    for (String part : text.split(",")) {
      String[] ends = part.split("-");
      int first = Integer.parseInt(ends[0]);
      int last = Integer.parseInt(ends[ends.length - 1]);
      if (last < first) {
        throw new IllegalArgumentException("'" + part + "' ends before it begins");
      }
      parts.add(new Range(first, last));
    }
    parts.sort(Comparator.comparingInt(Range::first));
    List<Range> ranges = new ArrayList<>();
    parts.forEach(part -> add(ranges, part));
    return new RankSet(ranges);
  }

  /** The ranges, ascending, with a gap between each and the next. */
  public List<Range> ranges() {
    return ranges;
  }

  /** How many ranks. */
  public int size() {
    return upTo.length == 0 ? 0 : upTo[upTo.length - 1];
  }

  /** Whether {@code rank} is one of them. */
  public boolean contains(int rank) {
    return rangeOf(rank) >= 0;
  }

  /** The index of the range that holds {@code rank}, or -1. */
  private int rangeOf(int rank) {
    int found = Arrays.binarySearch(firsts, rank);
    int last = found >= 0 ? found : -found - 2;
    return last >= 0 && rank <= ranges.get(last).last() ? last : -1;
  }

  /**
   * The lowest rank.
   *
   * @throws NoSuchElementException if the set is empty
   */
  public int first() {
    if (ranges.isEmpty()) {
      throw new NoSuchElementException("the set of ranks is empty");
    }
    return ranges.get(0).first();
  }

  /**
   * How many ranks of the set are below {@code rank}, which is one of them.
   *
   * @throws IllegalArgumentException if it is none
   */
  public int indexOf(int rank) {
    int range = rangeOf(rank);
    if (range < 0) {
      throw new IllegalArgumentException("rank " + rank + " is none of " + this);
    }
    return upTo[range] - 1 - (ranges.get(range).last() - rank);
  }

  /**
   * The rank with {@code index} others of the set below it.
   *
   * @throws IndexOutOfBoundsException if the set has no so many
   */
  public int get(int index) {
    int found = Arrays.binarySearch(upTo, Objects.checkIndex(index, size()) + 1);
    int range = found >= 0 ? found : -found - 1;
    return ranges.get(range).last() - (upTo[range] - 1 - index);
  }

  /** The ranks, ascending. */
  public IntStream stream() {
    return ranges.stream().flatMapToInt(r -> IntStream.rangeClosed(r.first(), r.last()));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RankSet set && set.ranges.equals(ranges);
  }

  @Override
  public int hashCode() {
    return ranges.hashCode();
  }

  /** For example {@code 0-3,16-19}; empty text if the set is empty. */
  @Override
  public String toString() {
    return ranges.stream().map(Range::toString).collect(Collectors.joining(","));
  }
}
