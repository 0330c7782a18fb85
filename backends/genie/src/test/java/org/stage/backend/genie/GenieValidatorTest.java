package org.stage.backend.genie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.stage.backend.genie.Exports.export;
import static org.stage.backend.genie.Exports.job;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.plugin.Progress;
import org.stage.backend.chakra.format.Attributes;
import org.stage.backend.chakra.format.proto.AttributeProto;
import org.stage.backend.chakra.format.proto.GlobalMetadata;
import org.stage.backend.chakra.format.proto.Node;
import org.stage.backend.chakra.format.proto.NodeType;
import org.stage.testkit.TestValidation;

/** Each test breaks one thing in a sound folder of four ranks. */
final class GenieValidatorTest {
  private static final int COMPUTE = 0;
  private static final int GATHER = 1;
  private static final int SEND = 2;
  private static final int RECV = 3;

  @TempDir Path directory;

  @BeforeEach
  void makeFolder() throws IOException {
    export(
        job(
            "tp=2 dp=2",
            "0 compute a forward add other=30000",
            "1 all-gather g forward 8xbf16 over tp:2 deps=0",
            "2 send s forward 8xbf16 to dp:+1 deps=1",
            "3 recv r forward 8xbf16 from dp:-1"),
        directory);
    assertThat(all()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "1, comm_size, it has no comm_size",
    "1, comm_type, it has no comm_type",
    "2, comm_dst, it has no comm_dst",
    "3, comm_tag, it has no comm_tag",
  })
  void anAttributeThatIsMissingIsAFault(int node, String name, String message) throws IOException {
    change(node, each -> without(each, name));

    assertThat(errors()).singleElement().asString().contains("w.0.et", message);
  }

  @ParameterizedTest
  @CsvSource({"0, num_ops", "0, tensor_size", "1, comm_size", "2, comm_tag", "1, is_cpu_op"})
  void anAttributeOfAnotherKindIsReadAsNothing(int node, String name) throws IOException {
    change(
        node,
        each -> {
          without(each, name);
          each.addAttr(
              AttributeProto.newBuilder()
                  .setName(name)
                  .setFixed64Val(name.equals("is_cpu_op") ? 0 : 16));
        });

    assertThat(errors())
        .singleElement()
        .asString()
        .contains(name + " is fixed64_val, which the older feeder reads as 0");
  }

  @Test
  void computeWithNeitherDurationNorWorkStopsGenie() throws IOException {
    change(COMPUTE, each -> without(each.setDurationMicros(0), "num_ops"));

    assertThat(errors()).singleElement().asString().contains("neither duration_micros nor");
  }

  @Test
  void computeWithoutADurationIsNotWaitedFor() throws IOException {
    change(COMPUTE, each -> each.setDurationMicros(0));

    assertThat(errors()).isEmpty();
    assertThat(all()).singleElement().asString().contains("does not wait");
  }

  @Test
  void anIdBeyondTheChromeTraceIsAFault() throws IOException {
    change(RECV, each -> each.setId(1 << 20));

    assertThat(errors()).singleElement().asString().contains("not below 1048576");
  }

  @Test
  void anIdThatIsThereTwiceIsAFault() throws IOException {
    change(RECV, each -> each.setId(1));

    assertThat(errors()).singleElement().asString().contains("there twice");
  }

  @Test
  void aDependencyOnNothingIsAFault() throws IOException {
    change(SEND, each -> each.addDataDeps(99));

    assertThat(errors()).singleElement().asString().contains("waits for node 99");
  }

  @Test
  void controlDependenciesAreNotSeen() throws IOException {
    change(SEND, each -> each.addCtrlDeps(1));

    assertThat(errors()).isEmpty();
    assertThat(all()).singleElement().asString().contains("does not see its ctrl_deps");
  }

  @Test
  void aNodeOfAnotherTypeIsAFault() throws IOException {
    change(RECV, each -> each.setType(NodeType.MEM_LOAD_NODE));

    assertThat(errors()).singleElement().asString().contains("MEM_LOAD_NODE");
  }

  @Test
  void aTransferIsNotOfTheHostAndMovesSomething() throws IOException {
    change(
        SEND,
        each -> {
          without(without(each, "is_cpu_op"), "comm_size");
          each.addAttr(Attributes.bool("is_cpu_op", true));
          each.addAttr(Attributes.int64("comm_size", 0));
        });

    assertThat(errors())
        .extracting(Diagnostic::message)
        .containsExactly("it is a transfer of the host", "it transfers nothing");
  }

  @ParameterizedTest
  @CsvSource({"7, communicator 7 is not known", "2, rank 0 is not in communicator 2"})
  void aCommunicatorMustHoldTheRank(String name, String message) throws IOException {
    change(GATHER, each -> without(each, "pg_name").addAttr(Attributes.string("pg_name", name)));

    assertThat(errors()).singleElement().asString().contains(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"1\": [0, 1], \"2\": [2, 3], \"3\": [1]} | it has 1 members",
        "{\"1\": [0, 1], \"2\": [2, 3], \"3\": [1, 9]} | there is no rank 9",
      })
  void communicatorsAreOfRanksThatThereAre(String json, String message) throws IOException {
    Files.writeString(directory.resolve("comm_group.json"), json);

    assertThat(errors()).singleElement().asString().contains(message);
  }

  @Test
  void aDamagedFileOfCommunicatorsIsAFault() throws IOException {
    Files.writeString(directory.resolve("comm_group.json"), "[");

    assertThat(errors()).first().asString().contains("comm_group.json, byte");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"logical-dims\": [\"2\", \"4\"]} | has 8 ranks, the traces 4",
        "{\"logical-dims\": [4]}            | no list of sizes in strings",
        "{\"logical-dims\": []}             | no list of sizes in strings",
        "{\"logical-dims\": \"4\"}          | no list of sizes in strings",
        "{\"dims\": [\"4\"]}                | no list of sizes in strings",
        "[]                                 | no list of sizes in strings",
        "{                                  | no list of sizes in strings",
      })
  void theLogicalTopologyHasAsManyRanks(String json, String message) throws IOException {
    Files.writeString(directory.resolve("logical_topology.json"), json);

    assertThat(errors()).singleElement().asString().contains(message);
  }

  @Test
  void severalDimensionsMultiply() throws IOException {
    Files.writeString(
        directory.resolve("logical_topology.json"),
        "{\"name\": {}, \"logical-dims\": [\"2\", \"2\"]}");

    assertThat(all()).isEmpty();
  }

  @Test
  void everyRankNeedsItsTrace() throws IOException {
    Files.delete(directory.resolve("w.1.et"));

    assertThat(errors()).singleElement().asString().contains("3 traces w, up to rank 3");
  }

  @Test
  void aTraceThatIsCutShortIsAFault() throws IOException {
    Path file = directory.resolve("w.2.et");
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length - 3));

    assertThat(errors()).singleElement().asString().contains("w.2.et", "cut short");
  }

  @Test
  void moreThanThePublicBranchHoldsIsAWarning() throws IOException {
    change(
        SEND,
        each ->
            without(each, "comm_size").addAttr(Attributes.int64("comm_size", (256L << 20) + 1)));

    assertThat(errors()).isEmpty();
    assertThat(all()).singleElement().asString().contains("268435457 bytes");
  }

  @Test
  void severalCommunicatorsARankAreAWarning() throws IOException {
    Files.writeString(
        directory.resolve("comm_group.json"), "{\"1\": [0, 1], \"2\": [2, 3], \"3\": [0, 2]}");
    Node second =
        Exports.nodes(directory.resolve("w.0.et")).get(GATHER).toBuilder().setId(5).build();
    change(
        RECV,
        each -> {
          each.clear().mergeFrom(second);
          without(each, "pg_name").addAttr(Attributes.string("pg_name", "3"));
        });

    assertThat(errors()).isEmpty();
    assertThat(all()).singleElement().asString().contains("in 2 communicators");
  }

  @Test
  void otherFoldersAreNotItsOwn() throws IOException {
    Path other = Files.createDirectory(directory.resolve("other"));
    Files.copy(directory.resolve("w.0.et"), other.resolve("w.0.et"));

    assertThat(new GenieValidator().accepts(other)).isFalse();
    assertThat(new GenieValidator().accepts(directory)).isTrue();
  }

  @Test
  void aFolderWithoutTracesIsAFault() throws IOException {
    Path other = Files.createDirectory(directory.resolve("other"));

    assertThat(new GenieValidator().validate(other, Progress.NONE).diagnostics())
        .singleElement()
        .asString()
        .contains("no files named like");
  }

  /** Changes a node of rank 0. */
  private void change(int index, Consumer<Node.Builder> change) throws IOException {
    Path file = directory.resolve("w.0.et");
    List<Node> nodes = Exports.nodes(file);
    try (OutputStream out = Files.newOutputStream(file)) {
      GlobalMetadata.newBuilder().setVersion("0.0.4").build().writeDelimitedTo(out);
      for (int i = 0; i < nodes.size(); i++) {
        Node.Builder node = nodes.get(i).toBuilder();
        if (i == index) {
          change.accept(node);
        }
        node.build().writeDelimitedTo(out);
      }
    }
  }

  private static Node.Builder without(Node.Builder node, String name) {
    for (int i = node.getAttrCount() - 1; i >= 0; i--) {
      if (node.getAttr(i).getName().equals(name)) {
        node.removeAttr(i);
      }
    }
    return node;
  }

  private List<Diagnostic> all() throws IOException {
    return new GenieValidator().validate(directory, Progress.NONE).diagnostics();
  }

  private List<Diagnostic> errors() throws IOException {
    return TestValidation.errors(new GenieValidator(), directory);
  }
}
