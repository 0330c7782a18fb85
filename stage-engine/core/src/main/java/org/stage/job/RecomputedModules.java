package org.stage.job;

import java.util.List;
import java.util.stream.Collectors;
import org.stage.api.diagnostic.InputException;

/**
 * The modules of a decoder layer that are computed again in backward.
 *
 * @param patterns patterns of names inside a layer: {@code attention}, {@code mlp.up}; each covers
 *     what stands below it
 * @param origin where they stand
 */
public record RecomputedModules(List<NamePattern> patterns, Origin origin) {
  /** No modules. */
  public static final RecomputedModules NONE =
      new RecomputedModules(List.of(), new Origin("", 0, ""));

  /** Copies the list. */
  public RecomputedModules {
    patterns = List.copyOf(patterns);
  }

  /** Whether {@code operator} of a layer runs again. */
  public boolean covers(String operator) {
    return patterns.stream().anyMatch(pattern -> pattern.covers(operator));
  }

  /**
   * Checks that each pattern names something.
   *
   * @param operators names of the operators of all kinds of layers that the model has
   * @throws InputException if one covers none of them
   */
  public void requireKnown(List<String> operators) {
    for (NamePattern pattern : patterns) {
      if (operators.stream().noneMatch(pattern::covers)) {
        List<String> modules =
            operators.stream()
                .filter(name -> name.contains("."))
                .map(name -> name.substring(0, name.indexOf('.')))
                .distinct()
                .toList();
        throw origin.fault(
            "'" + pattern + "' names no part of a layer",
            Nearest.remedy(pattern.text(), modules, "Modules of a layer"));
      }
    }
  }

  @Override
  public String toString() {
    return patterns.stream().map(NamePattern::text).collect(Collectors.joining(", ", "[", "]"));
  }
}
