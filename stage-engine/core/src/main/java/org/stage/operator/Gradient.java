package org.stage.operator;

import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;

/** How the gradients of an operator's inputs are made; as {@link OperatorRule#differentiate}. */
@FunctionalInterface
interface Gradient {
  /** Nobody knows. */
  Gradient NONE =
      (f, dy, gradients) -> {
        throw new IllegalArgumentException("no gradient is known of " + f);
      };

  void add(Operator f, Operand dy, Gradients gradients);
}
