package org.stage.api.graph;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Refuses, in one line that quotes the culprit, what is not a legal {@link Module}. */
final class ModuleVerifier {
  private final String module;
  private final Set<String> axes = new HashSet<>();
  private final Map<String, Tensor> declared = new HashMap<>();

  /** Names of the tensors that can be read at this point. */
  private final Set<String> known = new HashSet<>();

  ModuleVerifier(String module) {
    this.module = module;
  }

  void declare(
      List<Axis> axes, List<Tensor> inputs, List<Tensor> parameters, List<Tensor> tensors) {
    axes.forEach(axis -> require(this.axes.add(axis.name()), "axis twice", axis.name()));
    for (List<Tensor> some : List.of(inputs, parameters, tensors)) {
      for (Tensor tensor : some) {
        require(declared.put(tensor.name(), tensor) == null, "tensor twice", tensor);
        requireAxes(tensor.axes(), tensor);
      }
    }
    inputs.forEach(tensor -> known.add(tensor.name()));
    parameters.forEach(tensor -> known.add(tensor.name()));
  }

  void verify(List<Operator> operators, List<Tensor> tensors, List<String> outputs) {
    Set<String> names = new HashSet<>();
    for (Operator operator : operators) {
      require(names.add(operator.name()), "operator twice", operator.name());
      for (Operand operand : operator.inputs()) {
        verifyRead(operand, operator);
      }
      for (Operand operand : operator.outputs()) {
        verifyWrite(operand, operator);
      }
    }
    tensors.forEach(tensor -> require(known.contains(tensor.name()), "never written", tensor));
    outputs.forEach(output -> require(known.contains(output), "no such output", output));
  }

  private void verifyRead(Operand operand, Operator operator) {
    require(known.contains(operand.tensor()), operand + " is not known in", operator);
    Tensor tensor = declaration(operand, operator);
    requireAxes(operand.axes(), operator);
    require(
        tensor.axes().size() == operand.axes().size(),
        operand + " is not of the rank of " + tensor + " in",
        operator);
  }

  private void verifyWrite(Operand operand, Operator operator) {
    Tensor tensor = declaration(operand, operator);
    require(known.add(operand.tensor()), operand + " is written again in", operator);
    require(
        tensor.axes().equals(operand.axes()),
        operand + " has not the axes of " + tensor + " in",
        operator);
  }

  private Tensor declaration(Operand operand, Operator operator) {
    Tensor tensor = declared.get(operand.tensor());
    if (tensor == null) {
      throw refusal(operand + " has no declaration in", operator);
    }
    return tensor;
  }

  private void requireAxes(List<String> used, Object culprit) {
    for (String axis : used) {
      require(axes.contains(axis), "axis " + axis + " is not declared in", culprit);
    }
  }

  private void require(boolean condition, String what, Object culprit) {
    if (!condition) {
      throw refusal(what, culprit);
    }
  }

  private IllegalArgumentException refusal(String what, Object culprit) {
    return new IllegalArgumentException("module " + module + ": " + what + ": " + culprit);
  }
}
