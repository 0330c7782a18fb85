package org.stage.numeric;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.stage.api.graph.Axis;
import org.stage.api.graph.Element;
import org.stage.api.graph.Module;
import org.stage.api.graph.Operator;
import org.stage.api.graph.Tensor;
import org.stage.backward.Differentiation;
import org.stage.operator.OperatorRules;

/** Runs a module on one device that holds everything. */
final class Interpreter {
  private final Map<String, Integer> sizes = new HashMap<>();
  private final IntUnaryOperator tokens;

  /** Evaluates the sizes of the module's axes. */
  Interpreter(Module module, Map<String, Long> bindings) {
    this(module, bindings, IntUnaryOperator.identity());
  }

  /**
   * The same.
   *
   * @param tokens the token that stands in a row of an expert
   */
  Interpreter(Module module, Map<String, Long> bindings, IntUnaryOperator tokens) {
    this.tokens = tokens;
    for (Axis axis : module.axes()) {
      sizes.put(axis.name(), (int) axis.size().evaluate(bindings));
    }
  }

  int size(String axis) {
    return sizes.get(axis);
  }

  /** All tensors of a module, from its inputs and parameters. */
  Map<String, Dense> run(Module module, Map<String, Dense> given) {
    Map<String, Dense> known = new HashMap<>(given);
    for (Operator operator : module.operators()) {
      List<Dense> in = operator.inputs().stream().map(x -> known.get(x.tensor())).toList();
      List<Dense> out = Kernels.run(operator, in, new Whole());
      for (int i = 0; i < out.size(); i++) {
        known.put(operator.outputs().get(i).tensor(), out.get(i));
      }
    }
    return known;
  }

  /** Every tensor of a forward graph and its backward graph, from random inputs and seeds. */
  static Map<String, Dense> bothPasses(Module forward, Map<String, Long> bindings, int seed) {
    Interpreter interpreter = new Interpreter(forward, bindings);
    return interpreter.bothPasses(forward, OperatorRules.standard(), seed);
  }

  /** The same where {@code operators} are known. */
  Map<String, Dense> bothPasses(Module forward, OperatorRules operators, int seed) {
    Random random = new Random(seed);
    Map<String, Dense> known = run(forward, random(forward, random));
    for (String output : forward.outputs()) {
      Tensor tensor = forward.tensorsByName().get(output);
      if (tensor.element() == Element.ACTIVATION) {
        known.put(Differentiation.gradientOf(output), random(tensor, random));
      }
    }
    Module backward = Differentiation.of(forward, operators);
    random(backward, random).forEach(known::putIfAbsent);
    return run(backward, known);
  }

  /** Random inputs and parameters, indices within their tables. */
  Map<String, Dense> random(Module module, Random random) {
    Map<String, Dense> given = new HashMap<>();
    for (Tensor input : module.inputs()) {
      given.put(input.name(), random(input, random));
    }
    module.parameters().forEach(weight -> given.put(weight.name(), random(weight, random)));
    return given;
  }

  Dense random(Tensor tensor, Random random) {
    Dense dense = Dense.random(random, new Whole().sizes(tensor.axes()));
    if (tensor.element() == Element.INDEX) {
      int rows = size(tensor.name().startsWith("position") ? "positions" : "vocab");
      for (int i = 0; i < dense.data.length; i++) {
        dense.data[i] = random.nextInt(rows);
      }
    }
    return dense;
  }

  private final class Whole implements Device {
    @Override
    public int size(String axis) {
      return sizes.get(axis);
    }

    @Override
    public int first(String axis) {
      return 0;
    }

    @Override
    public int token(int row) {
      return tokens.applyAsInt(row);
    }
  }
}
