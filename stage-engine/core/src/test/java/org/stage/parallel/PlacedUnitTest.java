package org.stage.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.api.graph.Module;
import org.stage.api.symbol.Expr;
import org.stage.job.ContextParallelism;
import org.stage.testkit.text.GraphTextParser;

class PlacedUnitTest {
  private static PlacedUnit unit(String module, String more, String axes) {
    return Placed.unit(module, more, axes, ContextParallelism.ALL_GATHER);
  }

  /** Of experts, one matrix; of a router, none. */
  @Test
  void matricesAreThoseOfOneExpert() {
    PlacedUnit moe = unit("moe", "", "tp 2, ep 2");
    assertThat(moe.parameters())
        .containsEntry("router.weight", Expr.parse("embed*experts"))
        .containsEntry("experts.up.weight", Expr.parse("embed*expert_mlp*experts/ep/tp"));
    assertThat(moe.matrices())
        .containsOnlyKeys("experts.gate.weight", "experts.up.weight", "experts.down.weight")
        .containsEntry("experts.up.weight", Expr.parse("embed*expert_mlp/tp"));
    PlacedUnit head = unit("head", "", "tp 2");
    assertThat(head.parameters()).containsOnlyKeys("weight", "norm.weight");
    assertThat(head.matrices()).isEqualTo(Map.of("weight", Expr.parse("embed*vocab/tp")));
  }

  @Test
  void rowsOfExpertsAreExchangedThenGathered() {
    PlacedUnit moe = unit("moe", "", "tp 2, ep 2");
    assertThat(Placed.steps(moe.forward()))
        .contains(
            "all-to-all: d -> d.all-to-all",
            "all-gather: d.all-to-all -> d.all-gather",
            "reduce-scatter: f -> f.reduce-scatter",
            "all-to-all: f.reduce-scatter -> f.all-to-all");
    Value exchanged = value(moe.forward(), "d.all-to-all");
    // As many rows as its experts hold, not as its tokens sent.
    assertThat(exchanged.elements()).hasToString("embed*held_rows/ep/tp");
    assertThat(value(moe.forward(), "d.all-gather").elements()).hasToString("embed*held_rows/ep");
  }

  private static Value value(PlacedModule module, String name) {
    return module.values().stream().filter(v -> v.name().equals(name)).findFirst().orElseThrow();
  }

  /** What was gathered again, of what the forward pass kept, has a name of its own. */
  @Test
  void formsAreNamedByWhatMadeThem() {
    PlacedUnit mlp = unit("mlp", "", "tp 2");
    assertThat(Placed.steps(mlp.forward()))
        .startsWith("all-gather: x -> x.all-gather", "gate: x.all-gather gate.weight -> g")
        .endsWith("reduce-scatter: y -> y.reduce-scatter");
    assertThat(Placed.steps(mlp.backward()))
        .contains("all-gather: x -> x.all-gather.backward")
        .contains("all-gather: y.grad -> y.grad.all-gather");
  }

  @Test
  void stepsWriteTheValuesThatSaySo() {
    PlacedModule module = unit("mlp", "", "tp 2").forward();
    for (int i = 0; i < module.steps().size(); i++) {
      for (Value written : module.steps().get(i).writes()) {
        assertThat(written.source()).isEqualTo(new Value.Source.Step(i));
      }
    }
  }

  /** Only activations, only along that axis. */
  @Test
  void whatIsGatheredMayStayForBackward() {
    assertThat(kept("tp 2", true).name()).isEqualTo("x.all-gather");
    assertThat(kept("tp 2", false).name()).isEqualTo("x");
    PlacedModule module = unit("mlp", "", "tp 2").forward();
    assertThat(module.keepingGathered(List.of(0)).kept().get("x").name()).isEqualTo("x.all-gather");
    assertThat(module.keepingGathered(List.of(1)).kept()).isEqualTo(module.kept());
    assertThat(module.keepingGathered(List.of(0)).kept().get("y").name())
        .isEqualTo("y.reduce-scatter");
    PlacedUnit kept = Placed.unit("mlp", "", "tp 2", ContextParallelism.ALL_GATHER, true);
    assertThat(Placed.steps(kept.backward())).noneMatch(step -> step.contains("x.all-gather.b"));
  }

  private static Value kept(String axes, boolean gathered) {
    return Placed.unit("mlp", "", axes, ContextParallelism.ALL_GATHER, gathered)
        .forward()
        .kept()
        .get("x");
  }

  /** Where each kind of row must be whole, mlp is split. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "y[batch, mlp] = softmax(x[batch, mlp])",
        "y[batch, mlp] = concat(x[batch, mlp], x[batch, mlp])",
        "y[batch, mlp], z[batch, mlp] = split(x[batch, mlp])",
        "y[batch, mlp] = rms_norm(x[batch, mlp], w[mlp])"
      })
  void wholeRowsCannotBeSplit(String operator) {
    Module module = row(operator);
    DeviceMesh mesh = DeviceMesh.of(Placed.mesh("tp 2"), 4);
    ShardingRules split = Standard.rules(Map.of("mlp", List.of(0)));
    List<String> boundary = List.of("batch", "mlp");
    assertThatThrownBy(
            () ->
                Placer.forward(
                    Standard.placing(mesh, split), module, Standard.layout(split, boundary)))
        .hasMessageStartingWith("mesh axis tp shards mlp of y[batch, mlp]");
    ShardingRules rows = Standard.rules(Map.of("batch", List.of(0)));
    assertThat(
            Placer.forward(Standard.placing(mesh, rows), module, Standard.layout(rows, boundary))
                .outputs())
        .containsKey("y");
  }

  private static Module row(String operator) {
    return GraphTextParser.parse(
        """
        module rows
        axis batch, mlp
        input x[batch, mlp]
        parameter w[mlp]:weight
        row: %s
        output y
        """
            .formatted(operator));
  }

  @Test
  void onlyTheJoinedAxesOfAConcatMustBeWhole() {
    Module module =
        GraphTextParser.parse(
            """
            module joined
            axis batch, left, right, both
            input x[batch, left]
            input z[batch, right]
            join: y[batch, both] = concat(x[batch, left], z[batch, right])
            output y
            """);
    DeviceMesh mesh = DeviceMesh.of(Placed.mesh("tp 2"), 4);
    for (String axis : List.of("left", "right", "both")) {
      ShardingRules rules = Standard.rules(Map.of(axis, List.of(0)));
      assertThatThrownBy(
              () ->
                  Placer.forward(
                      Standard.placing(mesh, rules),
                      module,
                      Standard.layout(rules, List.of("batch", "width"))))
          .hasMessageStartingWith("mesh axis tp shards " + axis + " of y[batch, both] = concat");
    }
  }

  @Test
  void aTensorThatNobodyMadeIsNamed() {
    assertThatThrownBy(
            () -> new PlacedModuleBuilder(DeviceMesh.of(Placed.mesh("tp 2"), 4)).latest("t"))
        .hasMessage("tensor t is not known here");
  }
}
