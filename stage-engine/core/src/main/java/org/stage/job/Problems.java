package org.stage.job;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.stage.api.diagnostic.InputException;

/**
 * Collects what is wrong with a job; reports the first in the order of its file, and where the rest
 * stands.
 */
public final class Problems {
  private static final int SHOWN = 5;

  private record Problem(Origin origin, String message, String remedy) {}

  private final List<Problem> found = new ArrayList<>();

  /** Notes a problem of what is written at {@code origin}. */
  public void add(Origin origin, String message, String remedy) {
    found.add(new Problem(origin, message, remedy));
  }

  /**
   * Throws what was noted, if anything was.
   *
   * @throws InputException that names all of it
   */
  public void report() {
    if (found.isEmpty()) {
      return;
    }
    // What is missing from the file as a whole has no line and comes after it, the command line
    // last.
    List<Problem> sorted = new ArrayList<>(found);
    sorted.sort(
        Comparator.<Problem, Boolean>comparing(problem -> problem.origin().isOption())
            .thenComparing(problem -> problem.origin().line() == 0)
            .thenComparing(problem -> problem.origin().line()));
    Problem first = sorted.get(0);
    throw first.origin().fault(first.message(), first.remedy() + others(sorted));
  }

  private static String others(List<Problem> sorted) {
    List<String> others =
        sorted.stream().skip(1).map(each -> each.origin().within()).distinct().toList();
    if (others.isEmpty()) {
      return "";
    }
    String shown = others.stream().limit(SHOWN).collect(Collectors.joining("; "));
    int more = others.size() - SHOWN;
    return " Also wrong: " + shown + (more > 0 ? "; and " + more + " more." : ".");
  }
}
