package org.stage.operator;

import java.util.List;
import java.util.Optional;
import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;
import org.stage.api.graph.OperatorKind;
import org.stage.api.graph.Tensor;

/** A backward graph under construction, as rules of operators see it. */
public interface Gradients {
  /** A tensor of the forward graph, or one that was added. */
  Tensor tensor(String name);

  /**
   * The operator of the forward graph that writes an operand.
   *
   * @throws IllegalArgumentException if there is none
   */
  Operator producer(Operand operand);

  /** The whole gradient of an operand, as far as any came back to it. */
  Optional<Operand> of(Operand operand);

  /** Hands {@code dy} on as a contribution to the gradient of {@code input}. */
  void contribute(Operand input, Operand dy);

  /** A further contribution to the gradient of {@code of}, which an operator is to write. */
  Operand contribution(Operand of);

  /** A gradient for each repetition of {@code of}, on other axes than it has, to be summed. */
  Operand scratch(Operand of, List<String> axes);

  /** Adds an operator. */
  void add(Operator operator);

  /** Adds an operator that writes a contribution to the gradient of each of {@code of}. */
  void add(String name, OperatorKind kind, List<Operand> inputs, List<Operand> of);

  /** Adds the cast of a tensor to 8 bits, if it is not there; returns the cast and its scale. */
  List<Operand> cast(Operand operand);

  /** Adds the cast of a tensor by blocks where it lies, with its scales; returns the cast. */
  Operand castInBlocks(Operand operand);

  /** An operand before its cast to 8 bits, where it has one. */
  Operand uncast(Operand operand);
}
