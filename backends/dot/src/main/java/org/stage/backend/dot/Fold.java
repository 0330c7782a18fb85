package org.stage.backend.dot;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.stage.api.workload.Node;
import org.stage.api.workload.Position;

/** Which nodes of a graph become one box. */
enum Fold {
  /** Those of one module and phase, over all micro-batches: {@code layers.3.attention}. */
  MODULE(1),
  /** Those of one layer and phase, over all micro-batches: {@code layers.3}. */
  LAYER(0),
  /** None. */
  NONE(Integer.MAX_VALUE);

  /** How many parts are kept behind that of the layer. */
  private final int parts;

  Fold(int parts) {
    this.parts = parts;
  }

  static Fold of(String option) {
    return valueOf(option.toUpperCase(Locale.ROOT));
  }

  /** The part of the model to which {@code node} belongs. */
  String part(Node node) {
    if (this == NONE) {
      return node.name();
    }
    Position at = Position.of(node);
    Stream<String> unit = Stream.of(at.unit()).filter(each -> !each.isEmpty());
    return Stream.concat(unit, Arrays.stream(at.component().split("\\.")))
        .limit(1L + parts)
        .filter(each -> !each.isEmpty())
        .collect(Collectors.joining("."));
  }
}
