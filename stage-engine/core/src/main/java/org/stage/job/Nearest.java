package org.stage.job;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** What was probably meant. */
public final class Nearest {
  private Nearest() {}

  /** The name most like {@code typed}, if one is like it at all. */
  public static Optional<String> name(String typed, Collection<String> names) {
    String lower = comparable(typed);
    // Two swapped letters are a distance of two.
    int bound = typed.length() < 4 ? 1 : Math.max(2, Math.min(typed.length(), 12) / 3);
    return names.stream()
        .filter(name -> Math.abs(name.length() - typed.length()) <= bound)
        .filter(name -> distance(lower, comparable(name)) <= bound)
        .min(Comparator.comparingInt(name -> distance(lower, comparable(name))));
  }

  /** A remedy that names the likeliest of {@code names} and lists all. */
  public static String remedy(String typed, Collection<String> names, String what) {
    String all = what + ": " + String.join(", ", names) + ".";
    return name(typed, names).map(name -> "Did you mean " + name + "? " + all).orElse(all);
  }

  /** The nearest numbers below and above {@code value} in {@code 1..last} that fit. */
  public static List<Long> fitting(long value, long last, LongPredicate fits) {
    List<Long> nearest = new ArrayList<>();
    for (long below = Math.min(value - 1, last); below >= 1 && nearest.isEmpty(); below--) {
      if (fits.test(below)) {
        nearest.add(below);
      }
    }
    for (long above = Math.max(value + 1, 1); above <= last; above++) {
      if (fits.test(above)) {
        nearest.add(above);
        break;
      }
    }
    return nearest;
  }

  /** The greatest number that divides both. */
  public static long commonDivisor(long one, long other) {
    return other == 0 ? one : commonDivisor(other, one % other);
  }

  /** The nearest multiples of {@code step} around {@code value}, within {@code 1..last}. */
  public static List<Long> multiples(long value, long step, long last) {
    long below = value / step * step;
    return LongStream.of(below, below + step).filter(n -> n >= 1 && n <= last).boxed().toList();
  }

  /** Numbers as a remedy: {@code Nearest that do: 4, 8.} */
  public static String remedy(String lead, List<Long> numbers) {
    return numbers.isEmpty()
        ? ""
        : numbers.stream().map(String::valueOf).collect(Collectors.joining(", ", lead + ": ", "."));
  }

  private static String comparable(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[-_. ]", "");
  }

  /** Levenshtein's distance, with a row of the matrix at a time. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
