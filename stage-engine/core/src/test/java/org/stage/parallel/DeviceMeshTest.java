package org.stage.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.stage.api.symbol.Expr;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.MeshAxis;
import org.stage.api.workload.SubAxis;
import org.stage.job.Strategies;

class DeviceMeshTest {
  /** {@code tp 16, dp 2}. */
  private static DeviceMesh mesh(String axes, int kvHeads) {
    return DeviceMesh.of(
        new Mesh(
            Stream.of(axes.split(", "))
                .map(axis -> axis.split(" "))
                .map(axis -> new MeshAxis(axis[0], Integer.parseInt(axis[1])))
                .toList()),
        kvHeads);
  }

  private static List<String> symbols(DeviceMesh mesh) {
    return mesh.axes().stream().map(DeviceMesh.Axis::symbol).toList();
  }

  @Test
  void tensorsAreNotShardedOverStagesNorOverAxesOfDegreeOne() {
    assertThat(symbols(mesh("tp 4, dp 2, pp 8", 8))).containsExactly("tp", "dp");
    assertThat(symbols(mesh("tp 1, dp 2", 8))).containsExactly("dp");
  }

  @Test
  void moreTensorParallelRanksThanKeyValueHeadsSplitTheAxis() {
    DeviceMesh mesh = mesh("tp 16, dp 2", 8);
    assertThat(symbols(mesh)).containsExactly("tp_outer", "tp_inner", "dp");
    assertThat(mesh.axes().get(0).part()).isEqualTo(new SubAxis("tp", 1, 8));
    assertThat(mesh.axes().get(1).part()).isEqualTo(new SubAxis("tp", 8, 2));
    assertThat(mesh.degrees()).isEqualTo(Map.of("tp_outer", 8L, "tp_inner", 2L, "dp", 2L));
    assertThat(mesh.partsOf("tp")).containsExactly(0, 1);
    assertThat(mesh.partsOf("dp")).containsExactly(2);
  }

  @Test
  void multiQueryAttentionNeedsNoSplit() {
    assertThat(symbols(mesh("tp 16", 1))).containsExactly("tp");
  }

  @Test
  void copiesOfKeysAndCopiesOfExpertsCutAnAxisInAChain() {
    Mesh tp16 = new Mesh(List.of(new MeshAxis("tp", 16)));
    DeviceMesh mesh = DeviceMesh.of(tp16, 2, 4);
    assertThat(symbols(mesh)).containsExactly("tp_outer", "tp_middle", "tp_inner");
    assertThat(mesh.axes())
        .extracting(DeviceMesh.Axis::part)
        .containsExactly(new SubAxis("tp", 1, 2), new SubAxis("tp", 2, 2), new SubAxis("tp", 4, 4));
    ShardingRules rules =
        Standard.rules(mesh, 2, Strategies.withExpertTp(Strategies.of(mesh.mesh(), true, true), 4));
    assertThat(rules.rules())
        .containsEntry("kv_heads", List.of(0))
        .containsEntry("expert_mlp", List.of(2))
        .containsEntry("slot", List.of(0, 1))
        .containsEntry("shared_mlp", List.of(0, 1, 2))
        .containsEntry("token_slot", List.of(0, 1, 2));
    assertThat(symbols(DeviceMesh.of(tp16, 4, 4))).containsExactly("tp_outer", "tp_inner");
    assertThat(symbols(DeviceMesh.of(tp16, 16, 1))).containsExactly("tp");
  }

  @Test
  void cutsThatCrossAreRefused() {
    Mesh tp12 = new Mesh(List.of(new MeshAxis("tp", 12)));
    assertThatThrownBy(() -> DeviceMesh.of(tp12, 4, 2)).hasMessageContaining("4 and 6 cut");
  }

  @Test
  void factorsThatAreTheWholeAxisAreJoined() {
    DeviceMesh mesh = mesh("tp 16, dp 2", 8);
    assertThat(mesh.join(List.of(0, 1))).containsExactly(new SubAxis("tp", 1, 16));
    assertThat(mesh.join(List.of(1))).containsExactly(new SubAxis("tp", 8, 2));
    assertThat(mesh.join(List.of(0, 1, 2)))
        .containsExactly(new SubAxis("dp", 1, 2), new SubAxis("tp", 1, 16));
    assertThat(mesh.join(List.of(1, 2)))
        .containsExactly(new SubAxis("dp", 1, 2), new SubAxis("tp", 8, 2));
  }

  /** Groups are written alike, whatever lies inside what in the tensors that they serve. */
  @Test
  void groupsAreWrittenReplicasFirstThenInMeshOrder() {
    DeviceMesh mesh = mesh("tp 16, ep 2, cp 2, dp 2", 8);
    List<SubAxis> all =
        List.of(
            new SubAxis("dp", 1, 2),
            new SubAxis("cp", 1, 2),
            new SubAxis("ep", 1, 2),
            new SubAxis("tp", 1, 16));
    assertThat(mesh.join(List.of(0, 1, 2, 3, 4))).isEqualTo(all);
    assertThat(mesh.join(List.of(4, 3, 2, 1, 0))).isEqualTo(all);
    assertThat(mesh.join(List.of(1, 3, 0))).isEqualTo(List.of(all.get(1), all.get(3)));
    assertThat(mesh.join(List.of(1, 2)))
        .containsExactly(new SubAxis("ep", 1, 2), new SubAxis("tp", 8, 2));
  }

  @Test
  void keyValueHeadsAreShardedOverTheOuterFactorAlone() {
    DeviceMesh mesh = mesh("tp 16, dp 2", 8);
    ShardingRules rules = Standard.rules(mesh, 8, Strategies.of(mesh.mesh(), true, false));
    assertThat(rules.rules())
        .containsEntry("batch", List.of(2))
        .containsEntry("heads", List.of(0, 1))
        .containsEntry("mlp", List.of(0, 1))
        .containsEntry("vocab", List.of(0, 1))
        .containsEntry("kv_heads", List.of(0))
        .containsEntry("norm_seq", List.of(0, 1))
        .containsEntry("embed_seq", List.of());
    assertThat(rules.shards(1, "heads")).isTrue();
    assertThat(rules.shards(1, "kv_heads")).isFalse();
    assertThat(rules.shards(0, "embed")).isFalse();
  }

  @Test
  void oneKeyValueHeadIsReplicated() {
    ShardingRules rules =
        Standard.rules(mesh("tp 16", 1), 1, Strategies.of(mesh("tp 16", 1).mesh(), false, true));
    assertThat(rules.rules())
        .containsEntry("kv_heads", List.of())
        .containsEntry("heads", List.of(0))
        .containsEntry("norm_seq", List.of())
        .containsEntry("embed_seq", List.of())
        .containsEntry("batch", List.of());
  }

  @Test
  void eachDeviceHasTheQuotientByTheDegreesThatShard() {
    DeviceMesh mesh = mesh("tp 16, dp 2", 8);
    ShardingRules rules = Standard.rules(mesh, 8, Strategies.of(mesh.mesh(), false, false));
    Layout layout = Layout.of(rules, List.of("batch", "seq", "heads"));
    assertThat(layout.shards()).containsExactly(List.of(2), List.of(), List.of(0, 1));
    Expr whole = Expr.parse("batch*seq*heads");
    assertThat(layout.local(mesh, whole))
        .isEqualTo(Expr.parse("batch*heads*seq/(dp*tp_inner*tp_outer)"));
    Layout partial = layout.summing(Set.of(1));
    assertThat(partial.local(mesh, whole)).isEqualTo(Expr.parse("batch*heads*seq/(dp*tp_outer)"));
    assertThat(partial.partialAxes()).isEqualTo(1);
  }
}
