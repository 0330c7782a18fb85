package org.stage.api.graph;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * One operation on named axes. Its iteration space is the set of axes that its operands name; an
 * axis that no output names is summed over (or reduced as the kind says).
 *
 * @param name unique in its module, for example {@code query}
 * @param kind what is computed
 * @param inputs operands read, in the kind's order
 * @param outputs operands written, in the kind's order, at least one
 */
public record Operator(
    String name, OperatorKind kind, List<Operand> inputs, List<Operand> outputs) {
  /**
   * Copies the lists.
   *
   * @throws IllegalArgumentException if there is no output
   */
  public Operator {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
    if (outputs.isEmpty()) {
      throw new IllegalArgumentException("operator " + name + " has no output");
    }
  }

  /** An operator with one output. */
  public static Operator of(String name, OperatorKind kind, List<Operand> inputs, Operand output) {
    return new Operator(name, kind, inputs, List.of(output));
  }

  /** The first output. */
  public Operand output() {
    return outputs.get(0);
  }

  /** Every axis that an operand names, in order of first mention, inputs first. */
  public Set<String> axes() {
    Set<String> axes = new LinkedHashSet<>();
    inputs.forEach(operand -> axes.addAll(operand.axes()));
    outputs.forEach(operand -> axes.addAll(operand.axes()));
    return axes;
  }

  /** As in the textual form: {@code y[batch, mlp] = einsum(x[batch, embed], w[embed, mlp])}. */
  @Override
  public String toString() {
    return join(outputs) + " = " + kind.text() + "(" + join(inputs) + ")";
  }

  private static String join(List<Operand> operands) {
    return String.join(", ", operands.stream().map(Operand::toString).toList());
  }
}
