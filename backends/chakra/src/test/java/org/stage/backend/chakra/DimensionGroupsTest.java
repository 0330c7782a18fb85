package org.stage.backend.chakra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.stage.api.workload.Node.Collective.Kind.ALL_REDUCE;
import static org.stage.api.workload.Node.Collective.Kind.ALL_TO_ALL;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.stage.api.diagnostic.InputException;
import org.stage.api.plugin.ExportReport;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.NetworkDimension;
import org.stage.api.workload.NetworkDimension.Topology;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.Workload;
import org.stage.backend.chakra.format.Attributes;
import org.stage.backend.chakra.format.GroupFile;
import org.stage.backend.chakra.format.proto.Node;

class DimensionGroupsTest {
  @TempDir Path directory;

  private static Workload on(List<NetworkDimension> network, Mesh mesh, RankClass... classes) {
    return Workloads.of("w", mesh, Optional.of(Workloads.HARDWARE), network, classes);
  }

  /** Nodes of {@code inside} devices at 400 GB/s, joined at 50. */
  private static List<NetworkDimension> nodes(int inside, int outside) {
    return List.of(
        new NetworkDimension(Topology.SWITCH, inside, 400, 100),
        new NetworkDimension(Topology.SWITCH, outside, 50, 1000));
  }

  private List<Boolean> dimensions(int rank, String name) throws IOException {
    Node node = Traces.node(directory, rank, name);
    assertThat(Attributes.find(node, "pg_name")).isNull();
    return Traces.attribute(node, "involved_dim").getBoolList().getValuesList();
  }

  @Test
  void aGroupThatCrossesNodesIsSaidByDimensionsThatAreCutAlongTheMesh() throws IOException {
    GraphBuilder graph = new GraphBuilder();
    graph.collective("tp", ALL_REDUCE, 4, GraphBuilder.along(2, "tp"));
    graph.collective("dp", ALL_REDUCE, 4, GraphBuilder.along(4, "dp"));
    ExportReport report =
        Exports.export(
            on(
                nodes(4, 2),
                Workloads.mesh("tp", 2, "dp", 4),
                Workloads.ranks(0, "0-7", graph::build)),
            directory);
    assertThat(directory.resolve("network.yml"))
        .content()
        .contains(
            "npus_count: [ 2, 2, 2 ]",
            "bandwidth: [ 372.52903, 372.52903, 46.566129 ]",
            "latency: [ 100.0, 100.0, 1000.0 ]");
    assertThat(dimensions(5, "tp")).containsExactly(true, false, false);
    assertThat(dimensions(5, "dp")).containsExactly(false, true, true);
    assertThat(GroupFile.read(directory.resolve("w.json"))).isEmpty();
    assertThat(report.notes()).isEmpty();
    assertThat(directory.resolve("network-1d.yml")).doesNotExist();
    assertThat(directory.resolve("README.md"))
        .content()
        .contains("`involved_dim`", "`groups: members`")
        .doesNotContain("Congestion_Aware");
  }

  @Test
  void onOneDimensionGroupsAreListed() throws IOException {
    GraphBuilder graph = new GraphBuilder();
    graph.collective("tp", ALL_REDUCE, 4, GraphBuilder.along(2, "tp"));
    Exports.export(
        on(
            List.of(new NetworkDimension(Topology.SWITCH, 8, 50, 100)),
            Workloads.mesh("tp", 2, "dp", 4),
            Workloads.ranks(0, "0-7", graph::build)),
        directory);
    assertThat(Traces.attribute(Traces.node(directory, 5, "tp"), "pg_name").getStringVal())
        .isEqualTo("3");
    assertThat(directory.resolve("network.yml")).content().contains("npus_count: [ 8 ]");
  }

  /**
   * On [2, 3], ranks 0 to 2 hop twice at 400 GB/s and once at 50, where all of it goes at 50: (2 /
   * 400 + 1 / 50) / 3 for 1 / 50.
   */
  @Test
  void aGroupThatIsNoProductOfDimensionsIsListedAndTheFactorTold() throws IOException {
    GraphBuilder graph = new GraphBuilder();
    graph.collective("tp", ALL_REDUCE, 6, GraphBuilder.along(3, "tp"));
    graph.collective("exchange", ALL_TO_ALL, 6, GraphBuilder.along(3, "tp"));
    ExportReport report =
        Exports.export(
            on(
                nodes(2, 3),
                Workloads.mesh("tp", 3, "dp", 2),
                Workloads.ranks(0, "0-5", graph::build)),
            directory);
    assertThat(Traces.attribute(Traces.node(directory, 5, "tp"), "pg_name").getStringVal())
        .isEqualTo("2");
    assertThat(report.notes().toString())
        .contains("prices collectives on tp 2.40 times too fast", "(n up to 3)");
    assertThat(directory.resolve("README.md")).content().contains("tp 2.40 times too fast");
  }

  /** All 8 ranks in order hop at 400 GB/s; 3/4 of the input go at 400, half of a quarter at 50. */
  @Test
  void byOptionGroupsAreListedAndTheFactorTold() throws IOException {
    GraphBuilder graph = new GraphBuilder();
    graph.collective("dp", ALL_REDUCE, 8, GraphBuilder.along(8, "dp"));
    ExportReport report =
        Exports.export(
            on(nodes(4, 2), Workloads.mesh("dp", 8), Workloads.ranks(0, "0-7", graph::build)),
            directory,
            Map.of("groups", "members"));
    // (3/4 / 400 + 1/8 / 50) over 7/8 / 400
    assertThat(report.notes().toString()).contains("prices collectives on dp 2.00 times too");
    assertThat(directory.resolve("network-1d.yml")).exists();
  }

  private static ExecutionGraph stage(int before) {
    GraphBuilder graph = new GraphBuilder();
    for (int i = 0; i < before; i++) {
      graph.collective("tp" + i, ALL_REDUCE, 4, GraphBuilder.along(2, "tp"));
    }
    graph.collective("norm", ALL_REDUCE, 4, GraphBuilder.along(2, "tp", "pp"));
    return graph.build();
  }

  private void exportStages(int first, int second) throws IOException {
    Exports.export(
        on(
            nodes(4, 2),
            Workloads.mesh("tp", 2, "pp", 2, "dp", 2),
            Workloads.ranks(0, "0-1,4-5", () -> stage(first)),
            Workloads.ranks(1, "2-3,6-7", () -> stage(second))),
        directory);
  }

  @Test
  void aGroupWhoseMembersHaveIssuedUnequallyManyCollectivesIsListed() throws IOException {
    exportStages(1, 2);
    assertThat(dimensions(0, "tp0")).containsExactly(true, false, false);
    assertThat(Traces.attribute(Traces.node(directory, 3, "norm"), "pg_name").getStringVal())
        .isEqualTo("1");
    assertThat(GroupFile.read(directory.resolve("w.json")).get("1")).containsExactly(0, 1, 2, 3);
  }

  @Test
  void aGroupOfSeveralStagesIsSaidByDimensionsWhereTheyHaveIssuedEquallyMany() throws IOException {
    exportStages(2, 2);
    assertThat(dimensions(3, "norm")).containsExactly(true, true, false);
  }

  private static ExecutionGraph relay() {
    GraphBuilder graph = new GraphBuilder();
    graph.send("send", "pp", 1, 64, 0);
    graph.recv("recv", "pp", -1, 64, 0);
    return graph.build();
  }

  /** Ranks 2 and 3 send to 4 and 5, and 6 and 7 to 0 and 1: to other places on other nodes. */
  @Test
  void messagesThatCrossTwoDimensionsAreTold() throws IOException {
    ExportReport report =
        Exports.export(
            on(
                nodes(4, 2),
                Workloads.mesh("tp", 2, "pp", 4),
                Workloads.ranks(0, "0-1", DimensionGroupsTest::relay),
                Workloads.ranks(1, "2-3", DimensionGroupsTest::relay),
                Workloads.ranks(2, "4-5", DimensionGroupsTest::relay),
                Workloads.ranks(3, "6-7", DimensionGroupsTest::relay)),
            directory);
    assertThat(report.notes().toString())
        .contains("prices 4 pairs of ranks", "from rank 2 to 4 8.00 times too fast");
  }

  @Test
  void withoutOneOrderOfCommunicationGroupsAreListed() throws IOException {
    GraphBuilder graph = new GraphBuilder();
    graph.collective("dp", ALL_REDUCE, 8, GraphBuilder.along(8, "dp"));
    Workload workload =
        on(nodes(4, 2), Workloads.mesh("dp", 8), Workloads.ranks(0, "0-7", graph::build));
    Exports.export(workload, directory, Map.of("order", "per-group"));
    assertThat(Traces.attribute(Traces.node(directory, 0, "dp"), "pg_name").getStringVal())
        .isEqualTo("1");
    assertThatThrownBy(
            () ->
                Exports.export(
                    workload, directory, Map.of("order", "none", "groups", "dimensions")))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("groups: is dimensions")
        .hasMessageContaining("order: total");
  }
}
