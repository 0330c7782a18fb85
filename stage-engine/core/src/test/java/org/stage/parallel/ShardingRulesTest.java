package org.stage.parallel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.api.graph.Axis;
import org.stage.api.graph.AxisRole;
import org.stage.api.symbol.Expr;
import org.stage.job.ContextParallelism;
import org.stage.job.Strategies;
import org.stage.job.Strategy;
import org.stage.module.ModuleLibrary;

class ShardingRulesTest {
  /** Indices: tp 0, cp 1, ep 2, dp 3. */
  private static final DeviceMesh MESH = DeviceMesh.of(Placed.mesh("tp 4, cp 2, ep 2, dp 2"), 8);

  private static ShardingRules rules(
      ContextParallelism context, boolean sequenceParallel, Map<String, List<String>> own) {
    return Standard.rules(
        MESH, 8, Strategies.of(MESH.mesh(), sequenceParallel, true, context, own));
  }

  private static ShardingRules with(String axis, String... rule) {
    return rules(ContextParallelism.ALL_GATHER, true, Map.of(axis, List.of(rule)));
  }

  /** Outermost first. */
  @Test
  void theUsualRules() {
    assertThat(rules(ContextParallelism.ALL_GATHER, true, Map.of()).rules())
        .containsEntry("batch", List.of(3, 2))
        .containsEntry("seq", List.of(1))
        .containsEntry("norm_seq", List.of(1, 0))
        .containsEntry("embed_seq", List.of(1, 0))
        .containsEntry("residual", List.of())
        .containsEntry("heads", List.of(0))
        .containsEntry("kv_heads", List.of(0))
        .containsEntry("kv_heads_out", List.of(0))
        .containsEntry("mlp_out", List.of(0))
        .containsEntry("expert", List.of(2))
        .containsEntry("expert_mlp", List.of(0))
        .containsEntry("slot", List.of(3, 1))
        .containsEntry("token_slot", List.of(3, 1, 0, 2))
        .containsEntry("embed", List.of());
  }

  @Test
  void withoutSequenceParallelismTokensAreSplitByContextAlone() {
    assertThat(rules(ContextParallelism.ALL_GATHER, false, Map.of()).rules())
        .containsEntry("norm_seq", List.of(1))
        .containsEntry("embed_seq", List.of(1))
        .containsEntry("token_slot", List.of(3, 1, 2));
  }

  @ParameterizedTest
  @CsvSource({"ALL_GATHER, 1, '', 0, 0", "RING, 1, 1, 0, 0", "ULYSSES, '', '', 01, 01"})
  void contextParallelismLaysOutTheCore(
      ContextParallelism context, String seq, String keys, String heads, String keyHeads) {
    ShardingRules rules = rules(context, true, Map.of());
    assertThat(text(rules, "core_seq")).isEqualTo(seq);
    assertThat(text(rules, "kv_seq")).isEqualTo(keys);
    assertThat(text(rules, "core_heads")).isEqualTo(heads);
    assertThat(text(rules, "core_kv_heads")).isEqualTo(keyHeads);
  }

  private static String text(ShardingRules rules, String axis) {
    return String.join("", rules.of(axis).stream().map(String::valueOf).toList());
  }

  @Test
  void viewsFollowWhatTheyAreAViewOf() {
    assertThat(with("mlp").rules())
        .containsEntry("mlp", List.of())
        .containsEntry("mlp_out", List.of())
        .containsEntry("shared_mlp", List.of(0));
    assertThat(with("heads").rules())
        .containsEntry("heads_out", List.of())
        .containsEntry("core_heads", List.of())
        .containsEntry("kv_heads", List.of());
    assertThat(with("seq", "tp", "cp").rules())
        .containsEntry("norm_seq", List.of(0, 1))
        .containsEntry("core_seq", List.of(0, 1));
    assertThat(with("residual", "tp").rules()).containsEntry("residual", List.of(0));
    assertThat(with("embed_in", "tp").rules()).containsEntry("embed_in", List.of(0));
  }

  /** A module file may call its width as it likes. */
  @Test
  void anAxisLiesWhereTheFirstOfItsRoleLiesUnlessARuleNamesIt() {
    Axis mine = new Axis("mine", Expr.symbol("mlp"), AxisRole.FEED_FORWARD);
    Axis other = new Axis("other", Expr.symbol("mlp"));
    List<Axis> axes = new ArrayList<>(ModuleLibrary.standard().axes(List.of()));
    axes.addAll(List.of(mine, other));
    assertThat(rules(axes, Map.of()).rules())
        .containsEntry("mine", List.of(0))
        .containsEntry("other", List.of());
    assertThat(rules(axes, Map.of("mlp", List.of("dp"))).rules())
        .containsEntry("mlp_out", List.of(3))
        .containsEntry("mine", List.of(3));
    assertThat(rules(axes, Map.of("mine", List.of("dp"), "other", List.of("ep"))).rules())
        .containsEntry("mlp", List.of(0))
        .containsEntry("mine", List.of(3))
        .containsEntry("other", List.of(2));
    assertThat(rules(axes, Map.of("embed", List.of("dp"))).rules())
        .containsEntry("embed", List.of(3))
        .containsEntry("other", List.of());
  }

  private static ShardingRules rules(List<Axis> axes, Map<String, List<String>> own) {
    Strategy strategy = Strategies.of(MESH.mesh(), true, true, ContextParallelism.ALL_GATHER, own);
    return ShardingRules.of(MESH, 8, strategy, axes);
  }

  @Test
  void rowsThatAreExchangedLieInside() {
    assertThat(with("expert", "ep", "tp").rules())
        .containsEntry("slot", List.of(3, 1))
        .containsEntry("token_slot", List.of(3, 1, 2, 0));
    assertThat(with("norm_seq", "tp", "cp").rules())
        .containsEntry("token_slot", List.of(3, 1, 0, 2));
  }

  @Test
  void expertsOnFewerRanksStayApartOutsideThem() {
    Strategy strategy = Strategies.withExpertTp(Strategies.of(MESH.mesh(), true, true), 2);
    DeviceMesh cut = DeviceMesh.of(MESH.mesh(), 8, 2);
    assertThat(Standard.rules(cut, 8, strategy).rules())
        .containsEntry("expert_mlp", List.of(1))
        .containsEntry("slot", List.of(4, 2, 0))
        .containsEntry("token_slot", List.of(4, 2, 0, 1, 3));
  }

  @Test
  void parametersOfExpertsAreReplicatedWhereTheirRowsAreSplit() {
    ShardingRules rules = with("expert", "ep", "tp");
    assertThat(rules.replicas(MESH, false)).containsExactlyInAnyOrder(1, 2, 3);
    assertThat(rules.replicas(MESH, true)).containsExactlyInAnyOrder(1, 2, 3);
    ShardingRules further = Standard.rules(Map.of("slot", List.of(0)));
    assertThat(further.replicas(MESH, true)).containsExactlyInAnyOrder(0, 1, 2, 3);
    assertThat(further.replicas(MESH, false)).containsExactlyInAnyOrder(1, 2, 3);
  }
}
