package org.stage.backend.dot;

import java.util.List;
import java.util.Locale;
import org.stage.api.workload.Node;

/** Which nodes of a graph become one box. */
enum Fold {
  /** Those of one module and phase, over all micro-batches: {@code layers.3.attention}. */
  MODULE(1),
  /** Those of one layer and phase, over all micro-batches: {@code layers.3}. */
  LAYER(0),
  /** None. */
  NONE(Integer.MAX_VALUE);

  /** How many parts of a name are kept behind that of the layer. */
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
    List<String> name = withoutMicroBatch(node.name());
    return String.join(".", name.subList(0, Math.min(name.size(), layer(name) + parts)));
  }

  private static List<String> withoutMicroBatch(String name) {
    return List.of(name.replaceFirst("^mb\\d+\\.(?=.)", "").split("\\."));
  }

  /** How many parts name the layer: two if the second is a number, as in {@code layers.3}. */
  private static int layer(List<String> name) {
    return name.size() > 1 && name.get(1).matches("\\d+") ? 2 : 1;
  }
}
