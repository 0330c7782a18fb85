package org.stage.job;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.InputException;

/**
 * Collects what is wrong with a job; reports all of it, what was just typed first, then in the
 * order of its file.
 */
public final class Problems {
  private static final int SHOWN = 8;

  private record Problem(Origin origin, String message, String remedy) {
    Diagnostic diagnostic() {
      return Diagnostic.error(origin.toString(), message, remedy);
    }
  }

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
    // A file that was right is made wrong by a value of the command line: that comes first. What is
    // missing from the file as a whole has no line and comes last.
    List<Diagnostic> sorted =
        found.stream()
            .sorted(
                Comparator.<Problem, Boolean>comparing(problem -> !problem.origin().isOption())
                    .thenComparing(problem -> problem.origin().line() == 0)
                    .thenComparing(problem -> problem.origin().line()))
            .map(Problem::diagnostic)
            .distinct()
            .collect(Collectors.toCollection(ArrayList::new));
    int more = sorted.size() - SHOWN;
    if (more > 0) {
      sorted.subList(SHOWN, sorted.size()).clear();
      sorted.add(Diagnostic.error("", more + " more are wrong", "Mend these first."));
    }
    throw new InputException(sorted);
  }
}
