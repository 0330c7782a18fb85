package org.stage.backend.chakra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.stage.api.workload.Node.Collective.Kind.ALL_REDUCE;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.stage.api.diagnostic.InputException;
import org.stage.api.plugin.ExportReport;
import org.stage.api.workload.NetworkDimension;
import org.stage.api.workload.NetworkDimension.Topology;
import org.stage.api.workload.Workload;
import org.stage.testkit.text.ExecutionTextParser;

final class SimulatorFilesTest {
  @TempDir Path directory;

  @Test
  void theDefaultNetworkHasASwitchForEachAxisOfTheMeshThatHasDevices() throws IOException {
    GraphBuilder graph = new GraphBuilder();
    graph.compute("a", 10, 1 << 20);
    ExportReport report =
        Exports.export(
            Workloads.of(
                Workloads.mesh("tp", 4, "cp", 1, "dp", 2), Workloads.ranks(0, "0-7", graph::build)),
            directory);
    assertThat(directory.resolve("network.yml"))
        .content()
        .startsWith("topology: [ Switch, Switch ]\nnpus_count: [ 4, 2 ]\n");
    assertThat(report.notes().toString()).contains("50 GB/s and 500 ns for each mesh axis");
  }

  @Test
  void aGivenNetworkIsTakenAsItIs() throws IOException {
    ExportReport report =
        Exports.export(
            Workloads.pipeline(
                List.of(
                    new NetworkDimension(Topology.FULLY_CONNECTED, 4, 100, 300),
                    new NetworkDimension(Topology.RING, 2, 25, 1000))),
            directory,
            Map.of("groups", "members"));
    // one ring of all of them goes over one link of three inside
    assertThat(report.notes().toString())
        .contains("on tp+dp+pp 2.10 times too slow")
        .doesNotContain(" tp ", " dp ");
    assertThat(directory.resolve("network.yml"))
        .content()
        .startsWith("topology: [ FullyConnected, Ring ]\nnpus_count: [ 4, 2 ]\n")
        // one of three links carries a third of 100 GB/s
        .contains("bandwidth: [ 31.044086, 23.283064 ]", "latency: [ 300.0, 1000.0 ]");
    assertThat(directory.resolve("network-1d.yml"))
        .content()
        // a chunk goes over two links of twice 25 GB/s, one after the other
        .contains("[ Switch ]", "[ 8 ]", "[ 46.566129 ]");
    assertThat(directory.resolve("system.json")).content().contains("\"peak-perf\": 100.0");
    assertThat(directory.resolve("README.md"))
        .content()
        .contains(
            "--workload-configuration=w ",
            "--comm-group-configuration=w.json ",
            "--system-configuration=system-1d.json ",
            "--logging-configuration=logging.toml");
  }

  @Test
  void theReadmeCountsTheNodesThatEachRankMustHaveRun() throws IOException {
    Exports.export(Workloads.pipeline(List.of()), directory);
    assertThat(directory.resolve("README.md"))
        .content()
        .contains(
            "grep -ho 'callback,sys->id=[0-9]*' log/log*.log | sort | uniq -c",
            "| 0-3 | 15 |\n| 4-7 | 17 |\n");
    assertThat(directory.resolve("logging.toml"))
        .content()
        .contains("name = \"workload\"", "flush_level = \"debug\"");
  }

  @Test
  void devicesHaveHostMemoryOnlyWhereSomethingMovesThere() throws IOException {
    Exports.export(workload("2 memory-store away forward 64 deps=0"), directory);
    assertThat(directory.resolve("memory.json"))
        .content()
        .contains("PER_NPU_MEMORY_EXPANSION", "\"remote-mem-bw\": 64");
    assertThat(directory.resolve("README.md")).content().contains("drop its statistics");
    Path other = Files.createDirectory(directory.resolve("other"));
    Exports.export(workload(""), other);
    assertThat(other.resolve("memory.json")).content().contains("NO_MEMORY_EXPANSION");
    assertThat(other.resolve("README.md")).content().doesNotContain("drop its statistics");
  }

  @Test
  void thatProductsOfEightBitsHaveNoPeakOfTheirOwnIsSaid() throws IOException {
    String said = "one peak for all products";
    assertThat(Exports.export(workload(""), directory).notes().toString()).doesNotContain(said);
    Path other = Files.createDirectory(directory.resolve("other"));
    ExportReport report =
        Exports.export(workload("2 compute up forward scaled_einsum flops=8 deps=0"), other);
    assertThat(report.notes().toString()).contains(said);
  }

  private static Workload workload(String more) {
    return ExecutionTextParser.parseWorkload(
        """
        workload w
        model m
        mesh tp=2
        precision weights=bf16 activations=bf16 gradients=fp32
        class stage=0 ranks=0-1
        0 compute first forward einsum flops=1000000
        1 all-reduce sum forward 450xbf16 over tp:2 deps=0
        """
            + more
            + "\n");
  }

  @Test
  void aRingNeedsNoSecondConfiguration() throws IOException {
    Exports.export(
        Workloads.pipeline(List.of(new NetworkDimension(Topology.RING, 8, 100, 300))), directory);
    assertThat(directory.resolve("network-1d.yml")).doesNotExist();
    assertThat(directory.resolve("README.md"))
        .content()
        .contains("Congestion_Aware")
        .doesNotContain("-1d");
  }

  @Test
  void oneKindOfCollectiveOnTwoGroupsIsToldWhereItCrashesTheSimulator() throws IOException {
    GraphBuilder graph = new GraphBuilder();
    graph.collective("a", ALL_REDUCE, 4, GraphBuilder.along(2, "tp"));
    graph.collective("b", ALL_REDUCE, 4, GraphBuilder.along(2, "dp"));
    Workload workload =
        Workloads.of(
            "w",
            Workloads.mesh("tp", 2, "dp", 2),
            Optional.of(Workloads.HARDWARE),
            List.of(new NetworkDimension(Topology.SWITCH, 4, 100, 300)),
            Workloads.ranks(0, "0-3", graph::build));
    assertThat(Exports.export(workload, directory).notes().toString())
        .contains("may crash after the last rank has finished");
  }

  @Test
  void withoutHardwareTheFiguresAreADefaultThatIsTold() throws IOException {
    GraphBuilder graph = new GraphBuilder();
    graph.compute("a", 1_000_000_000, 1 << 20);
    Workload workload =
        Workloads.of(
            "w",
            Workloads.mesh("tp", 2),
            Optional.empty(),
            List.of(),
            Workloads.ranks(0, "0-1", graph::build));
    ExportReport report = Exports.export(workload, directory);
    assertThat(report.notes().toString()).contains("no peak at bf16 is known");
    assertThat(directory.resolve("system.json"))
        .content()
        .contains("\"peak-perf\": 989.0", "\"local-mem-bw\": 3350.0");
    assertThat(directory.resolve("README.md")).content().contains("(a default: no hardware");
    assertThat(Traces.node(directory, 0, "a").getDurationMicros()).isZero();
  }

  @Test
  void oneRankHasATraceButNoSimulation() throws IOException {
    GraphBuilder graph = new GraphBuilder();
    graph.compute("a", 10, 1 << 20);
    ExportReport report =
        Exports.export(
            Workloads.of(Workloads.mesh("tp", 1), Workloads.ranks(0, "0", graph::build)),
            directory);
    assertThat(report.notes().toString()).contains("ASTRA-sim cannot run one rank");
    assertThat(Traces.files(directory)).containsOnlyKeys("README.md", "w.0.et", "w.json");
  }

  @Test
  void aNetworkOfAnotherSizeIsRefused() {
    Workload workload =
        Workloads.pipeline(List.of(new NetworkDimension(Topology.RING, 6, 100, 300)));
    assertThatThrownBy(() -> Exports.export(workload, directory))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("network: its sizes multiply to 6, but the mesh has 8");
  }

  @Test
  void aNameThatTheShellWouldSplitIsQuoted() throws IOException {
    GraphBuilder graph = new GraphBuilder();
    graph.compute("a", 10, 1 << 20);
    Workload workload =
        Workloads.of(
            "my job",
            Workloads.mesh("tp", 2),
            Optional.empty(),
            List.of(),
            Workloads.ranks(0, "0-1", graph::build));
    Exports.export(workload, directory);
    assertThat(Files.readString(directory.resolve("README.md")))
        .contains(
            "--workload-configuration='my job' ", "--comm-group-configuration='my job'.json ");
  }
}
