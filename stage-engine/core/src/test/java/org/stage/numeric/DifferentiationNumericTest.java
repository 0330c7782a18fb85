package org.stage.numeric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.stage.api.graph.Element;
import org.stage.api.graph.Module;
import org.stage.api.graph.Tensor;
import org.stage.backward.Differentiation;
import org.stage.model.Quantization;
import org.stage.module.ModuleLibrary;
import org.stage.operator.OperatorRules;
import org.stage.operator.ScaledSwish;
import org.stage.testkit.text.GraphTextParser;

/** The backward graph against differences of the forward graph's results. */
class DifferentiationNumericTest {
  private static final double STEP = 1e-5;

  static Stream<Arguments> libraryModules() {
    List<Arguments> all = new ArrayList<>();
    for (String family :
        List.of(
            Tiny.LLAMA,
            Tiny.GPT,
            Tiny.PALM,
            Tiny.QWEN,
            Tiny.QWEN_3,
            Tiny.DEEPSEEK,
            Tiny.DEEPSEEK_LITE)) {
      for (String attention : List.of("unfused_attention", "flash_attention")) {
        Tiny.MODULES.forEach(module -> all.add(Arguments.of(module, family + " " + attention)));
      }
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("libraryModules")
  void theBackwardGraphOfALibraryModuleIsItsDerivative(String name, String features) {
    check(Tiny.module(name, features), Tiny.sizes(4, 2, 3), new Random(7));
  }

  @ParameterizedTest
  @MethodSource("libraryModules")
  void castsToEightBitsPassGradientsOn(String name, String features) {
    check(
        Quantization.of(Tiny.module(name, features), OperatorRules.standard()),
        Tiny.sizes(4, 2, 3),
        new Random(7));
  }

  @Test
  void rowsThatAreWeighedGiveTheirWeightsAGradient() {
    Module forward =
        GraphTextParser.parse(
            """
            module weighted
            axis batch, embed
            input g[batch, embed]
            input u[batch, embed]
            input p[batch]
            a: a[batch, embed] = swiglu(g[batch, embed], u[batch, embed], p[batch])
            output a
            """);
    check(forward, Map.of("batch", 2L, "embed", 3L), new Random(7));
  }

  @Test
  void anOperatorThatOnlyTestsKnowHasTheGradientThatItsRuleSays() {
    Module forward = new ModuleLibrary(ScaledSwish.OPERATORS).build("swish_network", Set.of());
    check(forward, ScaledSwish.OPERATORS, Tiny.sizes(4, 2, 3), new Random(7));
  }

  static IntStream seeds() {
    return IntStream.range(0, 60);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theBackwardGraphOfARandomModuleIsItsDerivative(int seed) {
    Random random = new Random(seed);
    Map<String, Long> sizes = Map.of("batch", 2L, "embed", 3L, "mlp", 4L);
    check(new RandomModule(random, true).build(), sizes, random);
  }

  /** Every gradient of a random linear function of the outputs. */
  private static void check(Module forward, Map<String, Long> sizes, Random random) {
    check(forward, OperatorRules.standard(), sizes, random);
  }

  private static void check(
      Module forward, OperatorRules operators, Map<String, Long> sizes, Random random) {
    Interpreter interpreter = new Interpreter(forward, sizes);
    Map<String, Dense> given = interpreter.random(forward, random);
    Map<String, Dense> seeds = new HashMap<>();
    for (String output : forward.outputs()) {
      Tensor tensor = forward.tensorsByName().get(output);
      if (tensor.element() == Element.ACTIVATION) {
        seeds.put(output, interpreter.random(tensor, random));
      }
    }
    Module backward = Differentiation.of(forward, operators);
    Map<String, Dense> known = interpreter.run(forward, given);
    seeds.forEach((output, seed) -> known.put(Differentiation.gradientOf(output), seed));
    interpreter.random(backward, random).forEach(known::putIfAbsent);
    Map<String, Dense> gradients = interpreter.run(backward, known);
    for (Tensor tensor : trained(forward)) {
      String name = Differentiation.gradientOf(tensor.name());
      assertThat(backward.outputs()).contains(name);
      Dense slope = slope(forward, interpreter, given, given.get(tensor.name()), seeds);
      Dense.requireClose(name, gradients.get(name), slope, 1e-6);
    }
  }

  private static Dense slope(
      Module forward,
      Interpreter interpreter,
      Map<String, Dense> given,
      Dense x,
      Map<String, Dense> seeds) {
    Dense slope = Dense.zeros(x.shape);
    for (int i = 0; i < x.data.length; i++) {
      double at = x.data[i];
      x.data[i] = at + STEP;
      double above = value(forward, interpreter.run(forward, given), seeds);
      x.data[i] = at - STEP;
      double below = value(forward, interpreter.run(forward, given), seeds);
      x.data[i] = at;
      slope.data[i] = (above - below) / (2 * STEP);
    }
    return slope;
  }

  private static List<Tensor> trained(Module forward) {
    return Stream.concat(
            forward.inputs().stream().filter(input -> input.element() == Element.ACTIVATION),
            forward.parameters().stream())
        .toList();
  }

  private static double value(Module forward, Map<String, Dense> known, Map<String, Dense> seeds) {
    double value = 0;
    for (String output : forward.outputs()) {
      Dense y = known.get(output);
      Dense seed = seeds.get(output);
      for (int i = 0; i < y.data.length; i++) {
        value += y.data[i] * (seed == null ? 1 : seed.data[i]);
      }
    }
    return value;
  }
}
