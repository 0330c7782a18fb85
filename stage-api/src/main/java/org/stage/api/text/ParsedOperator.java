package org.stage.api.text;

import java.util.List;
import org.stage.api.graph.Operator;
import org.stage.api.graph.Tensor;

/**
 * One line of operators, as {@link GraphText#parseOperator} reads it.
 *
 * @param operator the operator
 * @param outputs the tensors that it writes, in its order, with their elements
 */
public record ParsedOperator(Operator operator, List<Tensor> outputs) {
  /** Copies the list. */
  public ParsedOperator {
    outputs = List.copyOf(outputs);
  }
}
