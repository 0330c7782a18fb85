package org.stage.api.workload;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A set of ranks as ascending disjoint ranges; prints as {@code 0-3,16-19}.
 *
 * @param ranges ascending, with a gap between each and the next
 */
public record RankSet(List<Range> ranges) {
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
   * @throws IllegalArgumentException if a range does not begin beyond the end of the one before,
   *     with a gap
   */
  public RankSet {
    ranges = List.copyOf(ranges);
    for (int i = 1; i < ranges.size(); i++) {
      if (ranges.get(i).first() <= ranges.get(i - 1).last() + 1L) {
        throw new IllegalArgumentException(
            ranges.get(i) + " does not follow " + ranges.get(i - 1) + " with a gap");
      }
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

  /** How many ranks. */
  public int size() {
    return ranges.stream().mapToInt(range -> range.last() - range.first() + 1).sum();
  }

  /** Whether {@code rank} is one of them. */
  public boolean contains(int rank) {
    return ranges.stream().anyMatch(range -> range.first() <= rank && rank <= range.last());
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
    int below = 0;
    for (Range range : ranges) {
      if (range.first() <= rank && rank <= range.last()) {
        return below + rank - range.first();
      }
      below += range.last() - range.first() + 1;
    }
    throw new IllegalArgumentException("rank " + rank + " is none of " + this);
  }

  /**
   * The rank with {@code index} others of the set below it.
   *
   * @throws IndexOutOfBoundsException if the set has no so many
   */
  public int get(int index) {
    int left = Objects.checkIndex(index, size());
    for (Range range : ranges) {
      int length = range.last() - range.first() + 1;
      if (left < length) {
        return range.first() + left;
      }
      left -= length;
    }
    throw new IllegalStateException("ranges are shorter than their sum");
  }

  /** The ranks, ascending. */
  public IntStream stream() {
    return ranges.stream().flatMapToInt(r -> IntStream.rangeClosed(r.first(), r.last()));
  }

  /** For example {@code 0-3,16-19}; empty text if the set is empty. */
  @Override
  public String toString() {
    return ranges.stream().map(Range::toString).collect(Collectors.joining(","));
  }
}
