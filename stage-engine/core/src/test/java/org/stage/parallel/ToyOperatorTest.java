package org.stage.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.stage.api.graph.Module;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Precision;
import org.stage.backward.Differentiation;
import org.stage.job.Strategies;
import org.stage.module.ModuleLibrary;
import org.stage.operator.ScaledSwish;

/**
 * An operator is one more rule in a catalogue: a module on one that the engine does not know is
 * built, differentiated and placed over {@code tp 2, dp 3} with sequence parallelism.
 */
class ToyOperatorTest {
  private static final ModuleLibrary LIBRARY = new ModuleLibrary(ScaledSwish.OPERATORS);
  private static final Module NETWORK = LIBRARY.build("swish_network", Set.of());
  private static final DeviceMesh MESH = DeviceMesh.of(Placed.mesh("tp 2, dp 3"), 4);
  private static final ShardingRules RULES =
      ShardingRules.of(
          MESH, 4, Strategies.of(MESH.mesh(), true, true), LIBRARY.axes(List.of(NETWORK)));
  private static final PlacedUnit UNIT =
      PlacedUnit.of(new Placing(MESH, RULES, LIBRARY.operators(), false), NETWORK, Set.of(), false);

  private static Step.Kernel kernel(String name) {
    return Stream.of(UNIT.forward(), UNIT.backward())
        .flatMap(program -> program.steps().stream())
        .filter(step -> step.name().equals(name))
        .map(Step.Kernel.class::cast)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theEnginesOwnLibraryDoesNotKnowIt() {
    assertThatThrownBy(() -> ModuleLibrary.standard().build("swish_network", Set.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nothing is known of a[batch, seq, inner] = scaled_swish(");
  }

  @Test
  void itsGradientIsAnOperatorOfItsOwn() {
    assertThat(Differentiation.of(NETWORK, LIBRARY.operators()).operators())
        .extracting(operator -> operator.name() + ": " + operator)
        .contains(
            "activation.grad: u.grad[batch, seq, inner], scale.grad[inner] ="
                + " scaled_swish_grad(a.grad[batch, seq, inner], u[batch, seq, inner],"
                + " scale[inner])");
  }

  @Test
  void itsAxesAreSplitAsTheirRolesSay() {
    assertThat(RULES.of("inner")).isEqualTo(MESH.partsOf("tp"));
    assertThat(kernel("activation").writes().get(0).layout().shards())
        .containsExactly(MESH.partsOf("dp"), List.of(), MESH.partsOf("tp"));
    assertThat(Placed.steps(UNIT.forward()))
        .containsExactly(
            "all-gather: x -> x.all-gather",
            "up: x.all-gather up.weight -> u",
            "activation: u scale -> a",
            "down: a down.weight -> y",
            "reduce-scatter: y -> y.reduce-scatter");
  }

  /** Sums over the tokens of a replica: over dp they are reduced with the matrices' gradients. */
  @Test
  void whatItsScaleGetsFromOtherTokensIsReduced() {
    Value gradient = UNIT.backward().outputs().get("scale.grad");
    assertThat(gradient.layout().sums()).containsExactlyElementsOf(MESH.partsOf("dp"));
    assertThat(UNIT.syncs())
        .singleElement()
        .satisfies(
            sync -> assertThat(sync.parameters()).contains("scale", "up.weight", "down.weight"));
  }

  /** Of 6 x 8 tokens and a width of 10, a rank has 2 x 8 and 5: 80 elements. */
  @Test
  void itCostsWhatItsRuleSays() {
    Numbers numbers =
        new Numbers(
            MESH,
            Map.of("batch", 6L, "seq", 8L, "mlp", 10L, "embed", 4L, "tp", 2L, "dp", 3L),
            new Precision(DataType.BF16, DataType.BF16, DataType.FP32),
            false);
    KernelCost forward = kernel("activation").cost();
    assertThat(numbers.of(forward.flops())).isZero();
    assertThat(numbers.of(forward.otherFlops())).isEqualTo(5 * 80);
    assertThat(numbers.bytes(forward.read())).isEqualTo(2 * (80 + 5));
    assertThat(numbers.bytes(forward.written())).isEqualTo(2 * 80);
    KernelCost backward = kernel("activation.grad").cost();
    assertThat(numbers.of(backward.otherFlops())).isEqualTo(11 * 80);
    // The gradient of the scale is added to what lies there, 4 bytes an element.
    assertThat(numbers.bytes(backward.read())).isEqualTo(2 * (80 + 80 + 5) + 4 * 5);
    assertThat(numbers.bytes(backward.written())).isEqualTo(2 * 80 + 4 * 5);
  }
}
