package org.stage.spec;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.stage.api.diagnostic.InputException;

/**
 * Collects what is wrong with a file; reports the first in the order of the file, and where the
 * rest stands.
 */
final class Problems {
  private static final int SHOWN = 5;

  private record Problem(Place place, String key, String message, String remedy) {}

  private final List<Problem> found = new ArrayList<>();

  /** Notes a problem of {@code key}, written at {@code place}. */
  void add(Place place, String key, String message, String remedy) {
    found.add(new Problem(place, key, message, remedy));
  }

  /** Throws what was noted, if anything was. */
  void report() {
    if (found.isEmpty()) {
      return;
    }
    // What is missing from the file as a whole has no line and comes after it, the command line
    // last.
    List<Problem> sorted = new ArrayList<>(found);
    sorted.sort(
        Comparator.<Problem, Boolean>comparing(problem -> problem.place().isOption())
            .thenComparing(problem -> problem.place().line() == 0)
            .thenComparing(problem -> problem.place().line()));
    Problem first = sorted.get(0);
    throw new InputException(
        first.place().at(first.key()), first.message(), first.remedy() + others(sorted));
  }

  private static String others(List<Problem> sorted) {
    List<String> others =
        sorted.stream().skip(1).map(each -> each.place().within(each.key())).distinct().toList();
    if (others.isEmpty()) {
      return "";
    }
    String shown = others.stream().limit(SHOWN).collect(Collectors.joining("; "));
    int more = others.size() - SHOWN;
    return " Also wrong: " + shown + (more > 0 ? "; and " + more + " more." : ".");
  }
}
