package org.stage.backend.chakra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.stage.api.workload.Node.Collective.Kind.ALL_GATHER;
import static org.stage.api.workload.Node.Collective.Kind.ALL_REDUCE;
import static org.stage.api.workload.Node.Collective.Kind.ALL_TO_ALL;
import static org.stage.api.workload.Node.Collective.Kind.REDUCE_SCATTER;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.stage.api.diagnostic.InputException;
import org.stage.api.diagnostic.WorkException;
import org.stage.api.plugin.ExportReport;
import org.stage.api.plugin.Progress;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Group;
import org.stage.api.workload.Ids;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.SubAxis;
import org.stage.api.workload.Workload;
import org.stage.backend.chakra.format.GroupFile;
import org.stage.backend.chakra.format.proto.AttributeProto.ValueCase;
import org.stage.backend.chakra.format.proto.Node;
import org.stage.testkit.TestExport;

final class ChakraExporterTest {
  private static final Group TP = GraphBuilder.along(2, "tp");

  @TempDir Path directory;

  @Test
  void aTinyGraphGivesTheseBytes() throws IOException {
    GraphBuilder graph = new GraphBuilder();
    int a = graph.compute("a", 3, 5);
    graph.collective("r", ALL_REDUCE, 4, TP, a);
    Workload workload =
        Workloads.of(
            "w",
            Workloads.mesh("tp", 2),
            Optional.empty(),
            List.of(),
            Workloads.ranks(0, "0-1", graph::build));
    Exports.export(workload, directory);

    String cpu = "520e" + "0a0969735f6370755f6f70" + "d80100"; // is_cpu_op: bool false
    assertThat(HexFormat.of().formatHex(Files.readAllBytes(directory.resolve("w.1.et"))))
        .isEqualTo(
            "07"
                + "0a05302e302e34" // version 0.0.4
                + "35" // 53 bytes
                + "0801"
                + "120161"
                + "1804" // id 1, name a, type COMP
                + cpu
                + "520b"
                + "0a076e756d5f6f7073"
                + "4803" // num_ops: int64 3
                + "520f"
                + "0a0b74656e736f725f73697a65"
                + "6805" // tensor_size: uint64 5
                + "47" // 71 bytes
                + "0802"
                + "120172"
                + "1807"
                + "2a0101" // id 2, name r, type COLL, after 1
                + cpu
                + "520d"
                + "0a09636f6d6d5f74797065"
                + "4800" // comm_type: int64 0
                + "520d"
                + "0a09636f6d6d5f73697a65"
                + "4810" // comm_size: int64 16
                + "520d"
                + "0a0770675f6e616d65"
                + "ea010131"); // pg_name: string 1
    assertThat(directory.resolve("w.json")).hasContent("{\n  \"1\": [0, 1]\n}\n");
  }

  @Test
  void eachKindOfNodeHasAttributesOfTheKindsThatBothFeedersRead() throws IOException {
    Exports.export(Workloads.pipeline(List.of()), directory);

    Node compute = Traces.node(directory, 0, "mb0.mlp");
    assertThat(Traces.integer(compute, "num_ops")).isEqualTo(2_000_000_000L);
    assertThat(Traces.attribute(compute, "num_ops").getValueCase()).isEqualTo(ValueCase.INT64_VAL);
    assertThat(Traces.attribute(compute, "tensor_size").getValueCase())
        .isEqualTo(ValueCase.UINT64_VAL);
    Node gather = Traces.node(directory, 0, "mb0.gather");
    assertThat(Traces.integer(gather, "comm_type")).isEqualTo(2);
    assertThat(Traces.integer(gather, "comm_size")).isEqualTo(4 << 17);
    assertThat(Traces.integer(Traces.node(directory, 0, "mb0.scatter"), "comm_type")).isEqualTo(7);
    Node send = Traces.node(directory, 2, "mb1.send");
    Node recv = Traces.node(directory, 6, "mb1.recv");
    for (Node end : List.of(send, recv)) {
      assertThat(Traces.integer(end, "comm_src")).isEqualTo(2);
      assertThat(Traces.integer(end, "comm_dst")).isEqualTo(6);
      assertThat(Traces.integer(end, "comm_tag")).isEqualTo(1);
      assertThat(Traces.integer(end, "comm_size")).isEqualTo(4 << 18);
      for (String name : List.of("comm_src", "comm_dst", "comm_tag")) {
        assertThat(Traces.attribute(end, name).getValueCase()).isEqualTo(ValueCase.INT32_VAL);
      }
    }
    assertThat(send.getTypeValue()).isEqualTo(5);
    assertThat(recv.getTypeValue()).isEqualTo(6);
  }

  @Test
  void collectivesHaveTheirNumbers() throws IOException {
    GraphBuilder graph = new GraphBuilder();
    graph.collective("reduce", ALL_REDUCE, 4, TP);
    graph.collective("gather", ALL_GATHER, 4, TP);
    graph.collective("scatter", REDUCE_SCATTER, 4, TP);
    graph.collective("exchange", ALL_TO_ALL, 4, TP);
    Exports.export(pair(graph.build()), directory);
    assertThat(Traces.nodes(directory, 0).stream().map(n -> Traces.integer(n, "comm_type")))
        .containsExactly(0L, 2L, 7L, 6L);
  }

  @Test
  void nothingCostsLessThanOneOperationAndOneByte() throws IOException {
    GraphBuilder graph = new GraphBuilder();
    graph.compute("nothing", 0, 0);
    ExportReport report = Exports.export(pair(graph.build()), directory);
    Node node = Traces.node(directory, 0, "nothing");
    assertThat(Traces.integer(node, "num_ops")).isEqualTo(1);
    assertThat(Traces.integer(node, "tensor_size")).isEqualTo(1);
    assertThat(notes(report)).anyMatch(note -> note.contains("last under 1 ns, such as nothing"));
  }

  @Test
  void durationsCarryWhatIsCutOff() throws IOException {
    // 1.4 us each at 100 TFLOPS
    GraphBuilder graph = new GraphBuilder();
    int last = graph.compute("c0", 140_000_000, 1);
    for (int i = 1; i < 5; i++) {
      last = graph.compute("c" + i, 140_000_000, 1, last);
    }
    Exports.export(pair(graph.build()), directory);
    assertThat(Traces.nodes(directory, 0).stream().map(Node::getDurationMicros))
        .containsExactly(1L, 1L, 2L, 1L, 2L);
  }

  @Test
  void theOrderOfCommunicationIsWrittenAsDataDependencies() throws IOException {
    Exports.export(pair(twoGroupsOneChain()), directory);
    assertThat(deps(0)).containsExactly("[]", "[1]", "[1, 2]", "[3]", "[1]", "[3, 5]");
    assertThat(Traces.nodes(directory, 0)).allMatch(node -> node.getCtrlDepsCount() == 0);
  }

  @Test
  void theOrderMayHoldWithinACommunicatorOrPeerOnly() throws IOException {
    Exports.export(pair(twoGroupsOneChain()), directory, Map.of("order", "per-group"));
    assertThat(deps(0)).containsExactly("[]", "[1]", "[1]", "[2]", "[1]", "[3, 5]");
  }

  @Test
  void theOrderMayBeLeftOut() throws IOException {
    Exports.export(pair(twoGroupsOneChain()), directory, Map.of("order", "none"));
    assertThat(deps(0)).containsExactly("[]", "[1]", "[1]", "[]", "[1]", "[3, 5]");
    assertThat(directory.resolve("README.md")).content().contains("export with `order: total`");
  }

  @Test
  void orderAndControlDependenciesMayGoToControlEdges() throws IOException {
    Exports.export(pair(twoGroupsOneChain()), directory, Map.of("order-edges", "ctrl"));
    assertThat(deps(0)).containsExactly("[]", "[1]", "[1]", "[]", "[1]", "[5]");
    assertThat(Traces.nodes(directory, 0).stream().map(Node::getCtrlDepsList).map(List::toString))
        .containsExactly("[]", "[]", "[2]", "[3]", "[]", "[3]");
  }

  /** Compute, all-reduce, send, all-reduce, receive, and an all-reduce's result used at the end. */
  private static ExecutionGraph twoGroupsOneChain() {
    GraphBuilder graph = new GraphBuilder();
    int start = graph.compute("start", 10, 1 << 20);
    graph.collective("one", ALL_REDUCE, 4, TP, start);
    int send = graph.send("send", "tp", 1, 4, 0, start);
    graph.collective("two", ALL_REDUCE, 4, TP);
    int recv = graph.recv("recv", "tp", -1, 4, 0, start);
    graph.after(send).compute("end", 10, 10, recv);
    return graph.build();
  }

  @Test
  void groupsSaidDifferentlyShareAnIdAndAnOrder() throws IOException {
    GraphBuilder graph = new GraphBuilder();
    graph.collective("a", ALL_REDUCE, 4, GraphBuilder.along(2, "tp", "dp"));
    graph.collective("b", ALL_REDUCE, 4, GraphBuilder.along(2, "dp", "tp"));
    graph.collective("c", ALL_REDUCE, 4, new Group.Members("pp", List.of(0, 1)));
    graph.collective("d", ALL_REDUCE, 4, GraphBuilder.along(2, "pp"));
    Exports.export(
        Workloads.of(
            Workloads.mesh("tp", 2, "dp", 2, "pp", 2), Workloads.ranks(0, "0-7", graph::build)),
        directory,
        Map.of("order", "per-group"));

    for (int rank = 0; rank < 8; rank++) {
      List<String> ids =
          Traces.nodes(directory, rank).stream()
              .map(node -> Traces.attribute(node, "pg_name").getStringVal())
              .toList();
      assertThat(ids.get(0)).isEqualTo(ids.get(1));
      assertThat(ids.get(2)).isEqualTo(ids.get(3));
    }
    assertThat(deps(5)).containsExactly("[]", "[1]", "[]", "[3]");
    Map<String, int[]> groups = GroupFile.read(directory.resolve("w.json"));
    assertThat(groups).containsOnlyKeys("1", "2", "3", "4", "5", "6");
    assertThat(groups.values().stream().map(java.util.Arrays::toString)).doesNotHaveDuplicates();
  }

  @Test
  void subAxesAndMembersFindTheirRanks() throws IOException {
    // dp 4 as 2 x 2: the outer factor joins 0 and 2, the inner one 0 and 1; stride of dp is 2
    GraphBuilder graph = new GraphBuilder();
    graph.collective("outer", ALL_REDUCE, 4, new Group.Along(List.of(new SubAxis("dp", 1, 2))));
    graph.collective("inner", ALL_REDUCE, 4, new Group.Along(List.of(new SubAxis("dp", 2, 2))));
    Exports.export(
        Workloads.of(Workloads.mesh("tp", 2, "dp", 4), Workloads.ranks(0, "0-7", graph::build)),
        directory,
        Map.of("groups", "members"));
    Map<String, int[]> groups = GroupFile.read(directory.resolve("w.json"));
    Node outer = Traces.node(directory, 5, "outer");
    Node inner = Traces.node(directory, 5, "inner");
    assertThat(groups.get(Traces.attribute(outer, "pg_name").getStringVal())).containsExactly(1, 5);
    assertThat(groups.get(Traces.attribute(inner, "pg_name").getStringVal())).containsExactly(5, 7);
  }

  @Test
  void aRankOutsideItsGroupIsRefused() {
    GraphBuilder graph = new GraphBuilder();
    graph.collective("a", ALL_REDUCE, 4, new Group.Members("pp", List.of(0, 2)));
    Workload workload =
        Workloads.of(Workloads.mesh("pp", 4), Workloads.ranks(0, "0-3", graph::build));
    assertThatThrownBy(() -> Exports.export(workload, directory))
        .isInstanceOf(WorkException.class)
        .hasMessageContaining("rank 1")
        .hasMessageContaining("members [0, 2]");
  }

  @Test
  void sizesBeyondThirtyTwoBitsStayWhole() throws IOException {
    GraphBuilder graph = new GraphBuilder();
    graph.compute("big", 1L << 50, 1L << 40);
    graph.collective("all", ALL_REDUCE, 1L << 32, TP);
    graph.send("send", "tp", 1, 1L << 31, 0);
    Exports.export(pair(graph.build()), directory);
    assertThat(Traces.integer(Traces.node(directory, 0, "big"), "num_ops")).isEqualTo(1L << 50);
    assertThat(Traces.integer(Traces.node(directory, 0, "big"), "tensor_size")).isEqualTo(1L << 40);
    assertThat(Traces.integer(Traces.node(directory, 0, "all"), "comm_size")).isEqualTo(1L << 34);
    assertThat(Traces.integer(Traces.node(directory, 0, "send"), "comm_size")).isEqualTo(1L << 33);
  }

  @Test
  void sizesBeyondTheFormatAreRefused() {
    GraphBuilder graph = new GraphBuilder();
    graph.collective("all", ALL_REDUCE, 1L << 62, TP);
    assertThatThrownBy(() -> Exports.export(pair(graph.build()), directory))
        .isInstanceOf(WorkException.class)
        .hasMessageContaining("does not fit 63 bits");
  }

  @Test
  void namesMayHoldAnyCharacter() throws IOException {
    GraphBuilder graph = new GraphBuilder();
    graph.compute("层.0.注意力 \"ß\" \uD83D\uDE00\n", 10, 1 << 20);
    Exports.export(pair(graph.build()), directory);
    assertThat(Traces.nodes(directory, 0).get(0).getName())
        .isEqualTo("层.0.注意力 \"ß\" \uD83D\uDE00\n");
  }

  @Test
  void groupIdsOfDifferentLengthFitTheirMessages() throws IOException {
    GraphBuilder graph = new GraphBuilder();
    graph.collective("x".repeat(60), ALL_REDUCE, 4, TP);
    Exports.export(
        Workloads.of(
            Workloads.mesh("tp", 2, "dp", 600), Workloads.ranks(0, "0-1199", graph::build)),
        directory,
        Map.of("groups", "members"));
    for (int rank : List.of(0, 17, 18, 199, 200, 1199)) {
      assertThat(
              Traces.attribute(Traces.node(directory, rank, "x".repeat(60)), "pg_name")
                  .getStringVal())
          .isEqualTo(Integer.toString(rank / 2 + 1));
    }
  }

  @Test
  void aTinyAllGatherIsRoundedUpAndTold() throws IOException {
    GraphBuilder graph = new GraphBuilder();
    graph.collective("scale", ALL_GATHER, 1, TP);
    ExportReport report = Exports.export(pair(graph.build()), directory);
    assertThat(Traces.integer(Traces.node(directory, 0, "scale"), "comm_size")).isEqualTo(16);
    assertThat(report.losses())
        .anyMatch(loss -> loss.toString().contains("scale of 4 to 16 bytes"));
  }

  @Test
  void tensorsAreListedWithTheirSizesOnEveryNode() throws IOException {
    GraphBuilder graph = new GraphBuilder();
    int in = graph.tensor("w", 131_072);
    int out = graph.tensor("grad#2", 1L << 33);
    graph.touching(Ids.of(in), Ids.of(out)).compute("a", 10, 1 << 20);
    graph.compute("b", 10, 10, 0);
    Exports.export(pair(graph.build()), directory, Map.of("tensors", "true"));
    Node a = Traces.node(directory, 0, "a");
    assertThat(Traces.attribute(a, "inputs").getStringList().getValuesList())
        .containsExactly("w", "131072");
    assertThat(Traces.attribute(a, "outputs").getStringList().getValuesList())
        .containsExactly("grad#2", "8589934592");
    Node b = Traces.node(directory, 0, "b");
    assertThat(Traces.attribute(b, "inputs").getStringList().getValuesList()).isEmpty();
    assertThat(directory.resolve("system.json")).content().contains("\"track-local-mem\": 1");
  }

  @Test
  void compressedTracesHoldTheSameNodes(@TempDir Path other) throws IOException {
    Exports.export(Workloads.pipeline(List.of()), directory);
    Exports.export(Workloads.pipeline(List.of()), other, Map.of("gzip", "true"));
    for (int rank = 0; rank < 8; rank++) {
      assertThat(Files.readAllBytes(other.resolve("w." + rank + ".et"))).startsWith(0x1f, 0x8b);
      assertThat(Traces.nodes(other, rank)).isEqualTo(Traces.nodes(directory, rank));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "true"})
  void twoRunsGiveTheSameBytes(String gzip, @TempDir Path other) throws IOException {
    Exports.export(Workloads.pipeline(List.of()), directory, Map.of("gzip", gzip));
    Exports.export(Workloads.pipeline(List.of()), other, Map.of("gzip", gzip));
    Map<String, byte[]> second = Traces.files(other);
    assertThat(Traces.files(directory))
        .hasSameSizeAs(second)
        .allSatisfy((name, bytes) -> assertThat(second.get(name)).isEqualTo(bytes));
  }

  @Test
  void theWantedRanksHaveTheFilesThatTheyHaveInTheWholeSet(@TempDir Path some) throws IOException {
    Exports.export(Workloads.pipeline(List.of()), directory);
    ExportReport report = Exports.export(Workloads.pipeline(List.of()), some, Map.of(), "1,6-7");
    Map<String, byte[]> whole = Traces.files(directory);
    assertThat(Traces.files(some))
        .containsOnlyKeys(
            "README.md",
            "logging.toml",
            "memory.json",
            "network.yml",
            "system.json",
            "w.1.et",
            "w.6.et",
            "w.7.et",
            "w.json")
        .allSatisfy((name, bytes) -> assertThat(bytes).isEqualTo(whole.get(name)));
    assertThat(report.nodes()).isEqualTo(15 + 17 + 17);
  }

  @Test
  void progressCountsTheFilesThatAreWritten() throws IOException {
    List<String> seen = new ArrayList<>();
    Progress progress = (done, total, unit) -> seen.add(done + "/" + total + " " + unit);
    TestExport.of(new ChakraExporter())
        .ranks("3-5")
        .progress(progress)
        .run(Workloads.pipeline(List.of()), directory);
    assertThat(seen).containsExactly("1/3 ranks", "2/3 ranks", "3/3 ranks");
  }

  @Test
  void aCancelledExportEnds() {
    TestExport export =
        TestExport.of(new ChakraExporter())
            .onCheck(
                () -> {
                  if (Files.exists(directory.resolve("w.0.et"))) {
                    throw new CancellationException();
                  }
                });

    assertThatThrownBy(() -> export.run(Workloads.pipeline(List.of()), directory))
        .isInstanceOf(CancellationException.class);
    assertThat(directory.resolve("w.1.et")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a/b", "a\\b", "a\nb", "system", "memory", "my-empty-run", "EMPTY"})
  void namesThatCannotNameTheFilesAreRefused(String name) {
    Workload workload = Workloads.of(name, Workloads.mesh("tp", 2), Optional.empty(), List.of());
    assertThatThrownBy(() -> Exports.export(workload, directory))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("name: ");
  }

  @Test
  void aFolderThatIsNotThereIsAnIoFault() {
    assertThatThrownBy(
            () -> Exports.export(Workloads.pipeline(List.of()), directory.resolve("absent")))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void graphsThatTheEngineMustNotMakeAreRefusedWithTheirNode() {
    GraphBuilder alone = new GraphBuilder();
    alone.collective("alone", ALL_REDUCE, 4, new Group.Along(List.of(new SubAxis("tp", 1, 1))));
    assertRefused(alone, "rank 0, node 0 alone: is a collective of one rank");
    GraphBuilder nothing = new GraphBuilder();
    nothing.collective("nothing", ALL_REDUCE, 0, TP);
    assertRefused(nothing, "nothing: transfers 0 bytes");
    GraphBuilder self = new GraphBuilder();
    self.send("self", "tp", 2, 4, 0);
    assertRefused(self, "self: has its own rank as its peer");
    GraphBuilder none = new GraphBuilder();
    none.recv("none", "tp", 1, 0, 0);
    assertRefused(none, "none: transfers 0 bytes");
    GraphBuilder tag = new GraphBuilder();
    tag.send("tag", "tp", 1, 4, -1);
    assertRefused(tag, "tag: has the tag -1");
    GraphBuilder again = new GraphBuilder();
    again.send("first", "tp", 1, 4, 7);
    again.send("again", "tp", -1, 4, 7);
    assertRefused(again, "again: has the tag 7 of an earlier message");
  }

  private void assertRefused(GraphBuilder graph, String message) {
    assertThatThrownBy(() -> Exports.export(pair(graph.build()), directory))
        .isInstanceOf(WorkException.class)
        .hasMessageContaining(message)
        .hasMessageContaining("a fault of the engine");
  }

  private List<String> deps(int rank) throws IOException {
    return Traces.nodes(directory, rank).stream()
        .map(node -> node.getDataDepsList().toString())
        .toList();
  }

  private static List<String> notes(ExportReport report) {
    return report.notes().stream().map(Object::toString).toList();
  }

  private static Workload pair(ExecutionGraph graph) {
    Mesh mesh = Workloads.mesh("tp", 2);
    return Workloads.of(mesh, Workloads.ranks(0, "0-1", () -> graph));
  }
}
