package org.stage.api.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A set of ranks as ascending disjoint ranges; prints as {@code 0-3,16-19}.
 *
 * @param ranges not adjacent, ascending
 */
public record RankSet(List<Range> ranges) {
  /**
   * Consecutive ranks.
   *
   * @param first the lowest
   * @param last the highest, inclusive
   */
  public record Range(int first, int last) {}

  /** Copies the list. */
  public RankSet {
    ranges = List.copyOf(ranges);
  }

  /** The distinct ranks of an ascending stream. */
  public static RankSet of(IntStream ascending) {
    List<Range> ranges = new ArrayList<>();
    ascending.forEach(
        rank -> {
          Range last = ranges.isEmpty() ? null : ranges.get(ranges.size() - 1);
          if (last != null && rank <= last.last() + 1) {
            ranges.set(ranges.size() - 1, new Range(last.first(), rank));
          } else {
            ranges.add(new Range(rank, rank));
          }
        });
    return new RankSet(ranges);
  }

  /**
   * Reads {@code 0-7,64}.
   *
   * @throws IllegalArgumentException if the text is not of that form
   */
  public static RankSet parse(String text) {
    if (!text.matches("\\d{1,9}(-\\d{1,9})?(,\\d{1,9}(-\\d{1,9})?)*")) {
      throw new IllegalArgumentException("'" + text + "' is not a list of ranks such as 0-7,64");
    }
    IntStream ranks = IntStream.empty();
    for (String part : text.split(",")) {
      String[] ends = part.split("-");
      int first = Integer.parseInt(ends[0]);
      int last = Integer.parseInt(ends[ends.length - 1]);
      if (last < first) {
        throw new IllegalArgumentException("'" + part + "' ends before it begins");
      }
      ranks = IntStream.concat(ranks, IntStream.rangeClosed(first, last));
    }
    return of(ranks.sorted());
  }

  /** How many ranks. */
  public int size() {
    return ranges.stream().mapToInt(range -> range.last() - range.first() + 1).sum();
  }

  /** Whether {@code rank} is one of them. */
  public boolean contains(int rank) {
    return ranges.stream().anyMatch(range -> range.first() <= rank && rank <= range.last());
  }

  /** The lowest rank. */
  public int first() {
    return ranges.get(0).first();
  }

  /** The ranks, ascending. */
  public IntStream stream() {
    return ranges.stream().flatMapToInt(r -> IntStream.rangeClosed(r.first(), r.last()));
  }

  @Override
  public String toString() {
    return ranges.stream()
        .map(r -> r.first() == r.last() ? "" + r.first() : r.first() + "-" + r.last())
        .collect(Collectors.joining(","));
  }
}
