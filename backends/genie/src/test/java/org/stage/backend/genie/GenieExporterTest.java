package org.stage.backend.genie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.stage.backend.genie.Exports.export;
import static org.stage.backend.genie.Exports.exportRanks;
import static org.stage.backend.genie.Exports.job;
import static org.stage.backend.genie.Exports.nodes;
import static org.stage.backend.genie.Exports.parse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.InputException;
import org.stage.api.diagnostic.WorkException;
import org.stage.api.plugin.ExportReport;
import org.stage.api.plugin.Progress;
import org.stage.api.workload.Workload;
import org.stage.backend.chakra.format.Attributes;
import org.stage.backend.chakra.format.proto.AttributeProto;
import org.stage.backend.chakra.format.proto.Node;
import org.stage.backend.chakra.format.proto.NodeType;

final class GenieExporterTest {
  private static final String[] EVERYTHING = {
    "0 compute mb0.a forward einsum shape=1x1x1x1 flops=30000 read=100 written=100",
    "1 all-gather mb0.gather forward 1000xbf16 over tp:2 deps=0",
    "2 compute mb0.b forward add other=10 read=2000 written=3000 deps=1",
    "3 send mb0.send forward 50xbf16 to dp:+1 tag=7 deps=2",
    "4 recv mb0.recv forward 50xbf16 from dp:-1 tag=7 deps=0",
    "5 all-reduce norm optimizer 1xfp32 over tp:2+dp:2 deps=4",
  };

  @TempDir Path directory;

  @Test
  void everyKindOfNodeHasWhatBothFeedersRead() throws IOException {
    ExportReport report = export(job("tp=2 dp=2", EVERYTHING), directory);

    List<Node> nodes = nodes(directory.resolve("w.1.et"));
    assertThat(report.nodes()).isEqualTo(24);
    assertThat(nodes).extracting(Node::getId).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
    assertThat(text(nodes.get(0)))
        .isEqualTo(
            "COMP_NODE mb0.a 3us [] is_cpu_op=BOOL_VAL:0 num_ops=INT64_VAL:30000"
                + " tensor_size=UINT64_VAL:200");
    assertThat(text(nodes.get(1)))
        .isEqualTo(
            "COMM_COLL_NODE mb0.gather 0us [1] is_cpu_op=BOOL_VAL:0 comm_type=INT64_VAL:2"
                + " comm_size=INT64_VAL:2000 pg_name=1");
    assertThat(text(nodes.get(2))).startsWith("COMP_NODE mb0.b 5us [2]");
    assertThat(text(nodes.get(3)))
        .isEqualTo(
            "COMM_SEND_NODE mb0.send 0us [2, 3] is_cpu_op=BOOL_VAL:0 comm_size=INT64_VAL:100"
                + " comm_tag=INT32_VAL:7 comm_src=INT32_VAL:1 comm_dst=INT32_VAL:3");
    // outside the order of transfers
    assertThat(text(nodes.get(4)))
        .isEqualTo(
            "COMM_RECV_NODE mb0.recv 0us [1] is_cpu_op=BOOL_VAL:0 comm_size=INT64_VAL:100"
                + " comm_tag=INT32_VAL:7 comm_src=INT32_VAL:3 comm_dst=INT32_VAL:1");
    // of all ranks, so without a name, and behind the send
    assertThat(text(nodes.get(5)))
        .isEqualTo(
            "COMM_COLL_NODE norm 0us [4, 5] is_cpu_op=BOOL_VAL:0 comm_type=INT64_VAL:0"
                + " comm_size=INT64_VAL:4");
    assertThat(directory.resolve("comm_group.json"))
        .hasContent("{\n  \"1\": [0, 1],\n  \"2\": [2, 3]\n}");
  }

  @Test
  void theFolderHoldsAllThatARunNeeds() throws IOException {
    export(job("tp=2 dp=2", EVERYTHING), directory, "ranks-per-host", "3");

    assertThat(names())
        .containsExactly(
            "comm_group.json",
            "hostfile",
            "logical_topology.json",
            "memory.json",
            "run.sh",
            "system.json",
            "totals.json",
            "w.0.et",
            "w.1.et",
            "w.2.et",
            "w.3.et");
    assertThat(directory.resolve("logical_topology.json"))
        .hasContent("{\n  \"logical-dims\": [\"4\"]\n}");
    assertThat(Files.readString(directory.resolve("hostfile")))
        .contains("host0 slots=3\nhost1 slots=1\n");
    assertThat(Files.readString(directory.resolve("run.sh")))
        .contains("-np 4 -N 3", "--workload \"$here/w\"", "--comm_group");
    assertThat(Files.isExecutable(directory.resolve("run.sh"))).isTrue();
    assertThat(Files.readString(directory.resolve("system.json")))
        .contains("\"local-mem-bw\": 1.0")
        .doesNotContain("roofline", "replay-only");
  }

  @Test
  void itsOwnValidatorFindsNothing() throws IOException {
    export(job("tp=2 dp=2", EVERYTHING), directory);

    GenieValidator validator = new GenieValidator();
    assertThat(validator.accepts(directory)).isTrue();
    assertThat(validator.validate(directory, Progress.NONE).diagnostics()).isEmpty();
    assertThat(validator.validate(directory, Progress.NONE).summary())
        .isEqualTo("4 ranks, 24 nodes");
  }

  @Test
  void withoutCommunicatorsTheYoungerOptionIsNotUsed() throws IOException {
    export(job("dp=2", "0 all-reduce norm optimizer 1xfp32 over dp:2"), directory);

    assertThat(names()).doesNotContain("comm_group.json");
    assertThat(Files.readString(directory.resolve("run.sh"))).doesNotContain("comm_group");
  }

  @Test
  void mergedNodesKeepTheSumsAndAreSaid() throws IOException {
    ExportReport report =
        export(
            job(
                "tp=1",
                "0 compute a forward add other=25000",
                "1 compute b forward add other=25000 deps=0",
                "2 compute c forward add read=600 deps=1"),
            directory);

    assertThat(nodes(directory.resolve("w.0.et")))
        .singleElement()
        .satisfies(node -> assertThat(text(node)).startsWith("COMP_NODE a (+2) 5us []"));
    assertThat(notes(report)).anyMatch(note -> note.startsWith("3 compute nodes are 1"));
    assertThat(Files.readString(directory.resolve("totals.json")))
        .contains("\"compute_nodes\" : 3", "\"compute_nodes_written\" : 1")
        .contains("\"longest_compute_us\" : 5", "\"not_said\" : [ \"phases\"");
  }

  @Test
  void shortKernelsThatCannotBeSaidAreCounted() throws IOException {
    String[] nodes =
        IntStream.range(0, 10)
            .mapToObj(i -> i + " compute a" + i + " forward add other=5000")
            .toArray(String[]::new);

    ExportReport report = export(job("tp=1", nodes), directory, "merge", "false");

    assertThat(notes(report)).anyMatch(note -> note.contains("5 us longer than the roofline"));
  }

  @ParameterizedTest
  @CsvSource({
    "'', hardware: is missing",
    "hardware odd memory=1.0 bandwidth=1.0 fp8=1.0, hardware: the peak of odd at bf16",
  })
  void withoutHardwareNobodyKnowsHowLongToWait(String hardware, String message) {
    Workload workload =
        parse("tp=1", hardware.isEmpty() ? "# none" : hardware, "0 compute a forward add other=1");

    assertThatThrownBy(() -> export(workload, directory))
        .isInstanceOf(InputException.class)
        .hasMessageStartingWith(message)
        .hasMessageContaining("duration");
  }

  @Test
  void severalCommunicatorsARankNeedANewerGenie() throws IOException {
    ExportReport report =
        export(
            job(
                "tp=2 dp=2",
                "0 all-gather a forward 8xbf16 over tp:2",
                "1 all-gather b forward 8xbf16 over dp:2"),
            directory,
            "scale-up",
            "2");

    assertThat(notes(report))
        .anyMatch(note -> note.startsWith("a rank is in 2 communicators"))
        .anyMatch(
            note ->
                note.startsWith("2 of 4 communicators lie within 2 contiguous ranks")
                    && note.endsWith("SCALE_UP_GROUP_SIZE=2."));
  }

  @Test
  void aMessageThatNoBufferHoldsIsWarnedOf() throws IOException {
    ExportReport report =
        export(job("dp=2", "0 all-reduce a forward 268435456xfp32 over dp:2"), directory);

    // a ring of two passes on halves of 1 GiB
    assertThat(notes(report)).anyMatch(note -> note.startsWith("a message has 536870912 bytes"));
  }

  @Test
  void partOfTheRanksIsTheSameAsInTheWholeSet() throws IOException {
    Workload workload = job("tp=2 dp=2", EVERYTHING);
    Path whole = Files.createDirectory(directory.resolve("whole"));
    Path part = Files.createDirectory(directory.resolve("part"));

    export(workload, whole);
    ExportReport report = exportRanks(workload, part, "3");

    assertThat(report.nodes()).isEqualTo(6);
    assertThat(part.resolve("w.0.et")).doesNotExist();
    for (String name : List.of("w.3.et", "comm_group.json", "run.sh", "totals.json")) {
      assertThat(part.resolve(name)).hasSameBinaryContentAs(whole.resolve(name));
    }
  }

  @Test
  void aCollectiveOfNoBytesIsAFaultOfTheEngine() {
    Workload workload = job("dp=2", "0 all-reduce a forward 0xfp32 over dp:2");

    assertThatThrownBy(() -> export(workload, directory))
        .isInstanceOf(WorkException.class)
        .hasMessageContaining("0 bytes");
  }

  @ParameterizedTest
  @CsvSource({
    "scale-up, 3, 3 does not divide 4 ranks",
    "scale-up, 0, 0 is not between 1 and 4",
    "ranks-per-host, -1, -1 is not between",
  })
  void anOptionOutOfRangeIsNamed(String option, String value, String message) {
    assertThatThrownBy(() -> export(job("tp=2 dp=2", EVERYTHING), directory, option, value))
        .isInstanceOf(InputException.class)
        .hasMessageStartingWith("exports.genie." + option)
        .hasMessageContaining(message);
  }

  private static String text(Node node) {
    return node.getType()
        + " "
        + node.getName()
        + " "
        + node.getDurationMicros()
        + "us "
        + node.getDataDepsList()
        + node.getAttrList().stream()
            .map(each -> " " + each.getName() + "=" + value(each))
            .collect(Collectors.joining());
  }

  private static String value(AttributeProto attribute) {
    return attribute.getValueCase() == AttributeProto.ValueCase.STRING_VAL
        ? attribute.getStringVal()
        : attribute.getValueCase() + ":" + Attributes.integer(attribute).orElseThrow();
  }

  private static List<String> notes(ExportReport report) {
    return Stream.concat(report.losses().stream(), report.notes().stream())
        .map(Diagnostic::toString)
        .toList();
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void noNodeIsOfAnotherTypeThanGenieDrives() throws IOException {
    export(job("tp=2 dp=2", EVERYTHING), directory);

    assertThat(nodes(directory.resolve("w.0.et")))
        .extracting(Node::getType)
        .containsOnly(
            NodeType.COMP_NODE,
            NodeType.COMM_COLL_NODE,
            NodeType.COMM_SEND_NODE,
            NodeType.COMM_RECV_NODE);
  }
}
