package org.stage.spec;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.stage.api.diagnostic.InputException;

/**
 * The modules of a decoder layer that are computed again in backward.
 *
 * @param patterns patterns of names inside a layer: {@code attention}, {@code mlp.up}; each covers
 *     what stands below it
 * @param place where they stand in the file, for messages
 */
public record RecomputedModules(List<NamePattern> patterns, String place) {
  /** No modules. */
  static final RecomputedModules NONE = new RecomputedModules(List.of(), "");

  private static final String KEY = "training.recompute";

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
        throw new InputException(
            place,
            "'" + pattern + "' names no part of a layer",
            Nearest.remedy(pattern.text(), modules, "Modules of a layer"));
      }
    }
  }

  /** What the file lists; nothing if it has a word there. */
  static RecomputedModules read(Values values, Problems problems) {
    List<NamePattern> patterns = new ArrayList<>();
    for (Node item : values.items(KEY)) {
      String typed = ((Node.Scalar) item).raw();
      String[] parts = typed.split("\\.", 3);
      if (!parts[0].equals("layers")) {
        patterns.add(new NamePattern(typed));
      } else if (parts.length < 3 || !parts[1].equals("*")) {
        problems.add(
            item.place(),
            KEY,
            "'" + typed + "' is not a module of every layer",
            parts.length < 3
                ? "For whole layers write full."
                : "All layers compute alike: write layers.*." + parts[2] + ".");
      } else {
        patterns.add(new NamePattern(parts[2]));
      }
    }
    return patterns.isEmpty() ? NONE : new RecomputedModules(patterns, values.place(KEY).at(KEY));
  }

  @Override
  public String toString() {
    return patterns.stream().map(NamePattern::text).collect(Collectors.joining(", ", "[", "]"));
  }
}
