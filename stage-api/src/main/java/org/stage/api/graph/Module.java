package org.stage.api.graph;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A piece of the symbolic tensor graph: operators in an order that respects their dependencies. The
 * same type holds a forward graph and its backward graph.
 *
 * @param name for example {@code decoder_layer}
 * @param axes every logical axis that a tensor or an operand names
 * @param inputs tensors that come from outside
 * @param parameters trained tensors
 * @param operators in execution order; each tensor is written once
 * @param outputs names of the tensors that leave
 * @param tensors every tensor that an operator writes
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
   * Copies the lists and verifies the graph.
   *
   * @throws IllegalArgumentException if a tensor is written twice or read before it is written, an
   *     axis is not declared, or an operand has another rank than its tensor; the message quotes it
   */
  public Module {
    axes = List.copyOf(axes);
    inputs = List.copyOf(inputs);
    parameters = List.copyOf(parameters);
    operators = List.copyOf(operators);
    tensors = List.copyOf(tensors);
    outputs = List.copyOf(outputs);
    verify(name, axes, inputs, parameters, operators, tensors, outputs);
  }

  /** Every tensor by name: inputs, parameters and what operators write. */
  public Map<String, Tensor> tensorsByName() {
    Map<String, Tensor> byName = new HashMap<>();
    inputs.forEach(tensor -> byName.put(tensor.name(), tensor));
    parameters.forEach(tensor -> byName.put(tensor.name(), tensor));
    tensors.forEach(tensor -> byName.put(tensor.name(), tensor));
    return byName;
  }

  private static void verify(
      String name,
      List<Axis> axes,
      List<Tensor> inputs,
      List<Tensor> parameters,
      List<Operator> operators,
      List<Tensor> tensors,
      List<String> outputs) {
    Set<String> declared = new HashSet<>();
    axes.forEach(axis -> require(declared.add(axis.name()), name, "axis twice", axis.name()));
    Map<String, Tensor> all = new HashMap<>();
    for (List<Tensor> some : List.of(inputs, parameters, tensors)) {
      for (Tensor tensor : some) {
        require(all.put(tensor.name(), tensor) == null, name, "tensor twice", tensor);
        require(declared.containsAll(tensor.axes()), name, "axis not declared", tensor);
      }
    }
    Set<String> known = new HashSet<>();
    inputs.forEach(tensor -> known.add(tensor.name()));
    parameters.forEach(tensor -> known.add(tensor.name()));
    for (Operator operator : operators) {
      for (Operand operand : operator.inputs()) {
        require(known.contains(operand.tensor()), name, operand + " is not known in", operator);
        verify(name, operand, all, declared, operator);
      }
      for (Operand operand : operator.outputs()) {
        require(known.add(operand.tensor()), name, operand + " is written again in", operator);
        verify(name, operand, all, declared, operator);
      }
    }
    outputs.forEach(output -> require(known.contains(output), name, "no such output", output));
  }

  private static void verify(
      String name,
      Operand operand,
      Map<String, Tensor> all,
      Set<String> declared,
      Operator operator) {
    Tensor tensor = all.get(operand.tensor());
    require(tensor != null, name, operand + " has no declaration in", operator);
    require(declared.containsAll(operand.axes()), name, "axis not declared", operator);
    require(
        tensor != null && tensor.axes().size() == operand.axes().size(),
        name,
        operand + " is not of the rank of " + tensor + " in",
        operator);
  }

  private static void require(boolean condition, String module, String what, Object culprit) {
    if (!condition) {
      throw new IllegalArgumentException("module " + module + ": " + what + ": " + culprit);
    }
  }
}
