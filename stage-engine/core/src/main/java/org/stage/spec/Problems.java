package org.stage.spec;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.InputException;

/** Collects what is wrong with a file, so that one run names all of it in the order of the file. */
final class Problems {
  private static final int SHOWN = 20;

  private record Problem(Place place, Diagnostic diagnostic) {}

  private final List<Problem> found = new ArrayList<>();

  /** Notes a problem of {@code key}, written at {@code place}. */
  void add(Place place, String key, String message, String remedy) {
    found.add(new Problem(place, Diagnostic.error(place.at(key), message, remedy)));
  }

  /** Whether nothing was noted. */
  boolean isEmpty() {
    return found.isEmpty();
  }

  /** Reports everything noted, if anything was. */
  void report() {
    if (found.size() == 1) {
      throw new InputException(found.get(0).diagnostic());
    }
    if (!found.isEmpty()) {
      // Values of the command line come last; they have no line.
      List<Problem> sorted = new ArrayList<>(found);
      sorted.sort(
          Comparator.<Problem, Boolean>comparing(p -> p.place().file().equals(Place.OPTION))
              .thenComparing(p -> p.place().line()));
      String lines =
          sorted.stream()
              .limit(SHOWN)
              .map(problem -> problem.diagnostic().toString())
              .collect(Collectors.joining("\n"));
      int more = sorted.size() - SHOWN;
      throw new InputException("", more > 0 ? lines + "\nand " + more + " more" : lines, "");
    }
  }
}
