package org.stage.api.graph;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A piece of the symbolic tensor graph: operators in an order that respects their dependencies. The
 * same type holds a forward graph and its backward graph.
 *
 * @param name for example {@code decoder_layer}
 * @param axes every logical axis that a tensor or an operand names
 * @param inputs tensors that come from outside
 * @param parameters trained tensors
 * @param operators in execution order; each tensor is written once
 * @param tensors every tensor that an operator writes; kept in the order in which they are written
 * @param outputs names of the tensors that leave
 */
public record Module(
    String name,
    List<Axis> axes,
    List<Tensor> inputs,
    List<Tensor> parameters,
    List<Operator> operators,
    List<Tensor> tensors,
    List<String> outputs) {
  /**
   * Copies the lists, puts the tensors into the order in which they are written, and verifies the
   * graph.
   *
   * @throws IllegalArgumentException if two axes, tensors or operators have one name, a tensor is
   *     written twice, never, or under other axes than its own, or is read before it is written, an
   *     axis is not declared, an operand has another rank than its tensor, or an output does not
   *     exist; the message quotes it
   */
  public Module {
    axes = List.copyOf(axes);
    inputs = List.copyOf(inputs);
    parameters = List.copyOf(parameters);
    operators = List.copyOf(operators);
    outputs = List.copyOf(outputs);
    ModuleVerifier verifier = new ModuleVerifier(name);
    verifier.declare(axes, inputs, parameters, tensors);
    tensors = inOrderOfWriting(operators, tensors);
    verifier.verify(operators, tensors, outputs);
  }

  private static List<Tensor> inOrderOfWriting(List<Operator> operators, List<Tensor> tensors) {
    Map<String, Tensor> left = new LinkedHashMap<>();
    tensors.forEach(tensor -> left.put(tensor.name(), tensor));
    List<Tensor> ordered = new ArrayList<>();
    for (Operator operator : operators) {
      for (Operand operand : operator.outputs()) {
        Tensor tensor = left.remove(operand.tensor());
        if (tensor != null) {
          ordered.add(tensor);
        }
      }
    }
    ordered.addAll(left.values());
    return List.copyOf(ordered);
  }

  /** Every tensor by name: inputs, parameters and what operators write, in that order. */
  public Map<String, Tensor> tensorsByName() {
    Map<String, Tensor> byName = new LinkedHashMap<>();
    inputs.forEach(tensor -> byName.put(tensor.name(), tensor));
    parameters.forEach(tensor -> byName.put(tensor.name(), tensor));
    tensors.forEach(tensor -> byName.put(tensor.name(), tensor));
    return Collections.unmodifiableMap(byName);
  }

  /** Every axis by name, in the order in which they are declared. */
  public Map<String, Axis> axesByName() {
    Map<String, Axis> byName = new LinkedHashMap<>();
    axes.forEach(axis -> byName.put(axis.name(), axis));
    return Collections.unmodifiableMap(byName);
  }
}
