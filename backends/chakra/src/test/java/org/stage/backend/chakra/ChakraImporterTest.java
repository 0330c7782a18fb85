package org.stage.backend.chakra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.stage.api.diagnostic.InputException;
import org.stage.api.plugin.WorkloadImporter.Imported;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Group;
import org.stage.api.workload.Hardware;
import org.stage.api.workload.NetworkDimension;
import org.stage.api.workload.Node;
import org.stage.api.workload.RankClass;
import org.stage.backend.chakra.format.Attributes;
import org.stage.backend.chakra.format.proto.AttributeProto;
import org.stage.backend.chakra.format.proto.DoubleList;
import org.stage.backend.chakra.format.proto.FloatList;
import org.stage.backend.chakra.format.proto.NodeType;

/** Traces as others write them: what a workload says of them, and that nothing is lost. */
class ChakraImporterTest {
  @TempDir Path temp;
  private Path set;
  private Path out;

  @BeforeEach
  void makeFolders() throws IOException {
    set = Files.createDirectory(temp.resolve("set"));
    out = temp.resolve("out");
  }

  private void writePyTorch() throws IOException {
    for (int rank = 0; rank < 2; rank++) {
      Foreign.write(set.resolve("et." + rank + ".et"), Foreign.pytorch(rank));
    }
  }

  private static List<Node> nodes(Imported imported, int index) {
    return imported.workload().classes().get(index).graph().nodes();
  }

  private static Node named(Imported imported, String name) {
    return nodes(imported, 0).stream().filter(n -> n.name().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void aTraceCollectedFromPyTorchIsWrittenAsItWasRead() throws IOException {
    writePyTorch();

    Imports.convert(set, out, Map.of());

    RoundTripTest.assertEqual(set, out);
  }

  @Test
  void aTraceCollectedFromPyTorchSaysWhatItCan() throws IOException {
    writePyTorch();

    Imported imported = Imports.read(set);

    assertThat(imported.losses()).isEmpty();
    assertThat(named(imported, "aten::mm"))
        .isInstanceOfSatisfying(
            Node.HostCompute.class,
            host -> {
              assertThat(host.details().durationNs()).hasValue(12_000);
              assertThat(host.details().startNs()).hasValue(1_700_000_000_000_000_000L);
            });
    assertThat(named(imported, "ampere_sgemm_128x64"))
        .isInstanceOfSatisfying(
            Node.Compute.class,
            kernel -> {
              assertThat(kernel.flops()).isEqualTo(1000);
              assertThat(kernel.bytesRead()).isEqualTo(100);
              assertThat(kernel.details().durationNs()).hasValue(120_000);
            });
    assertThat(named(imported, "n17")).isInstanceOf(Node.MemoryLoad.class);
    assertThat(named(imported, "n18")).isInstanceOf(Node.Marker.class);
    assertThat(named(imported, "n-1").details().id()).isEqualTo("18446744073709551615");
  }

  @Test
  void collectivesFindTheirGroupsInMetadataNodes() throws IOException {
    writePyTorch();

    Imported imported = Imports.read(set);

    assertThat(named(imported, "ncclAllReduce"))
        .isInstanceOfSatisfying(
            Node.Collective.class,
            each -> {
              assertThat(each.kind()).isEqualTo(Node.Collective.Kind.ALL_REDUCE);
              assertThat(each.bytes()).isEqualTo(4096);
              assertThat(each.type()).isEqualTo(DataType.BYTE);
              assertThat(imported.workload().mesh().members(each.group(), 0)).containsExactly(0, 1);
            });
    assertThat(imported.workload().origin().orElseThrow().groups())
        .containsEntry("13", List.of(1, 0))
        .containsEntry("0", List.of(0, 1));
  }

  @Test
  void processGroupsMayHaveEscapedQuotes() throws IOException {
    for (int rank = 0; rank < 3; rank++) {
      Foreign.write(
          set.resolve("w." + rank + ".et"),
          Foreign.node(1, NodeType.METADATA_NODE)
              .setInputs(
                  org.stage.backend.chakra.format.proto.IOInfo.newBuilder()
                      .setValues("[\"[{\\\"pg_name\\\":\\\"5\\\",\\\"ranks\\\":[0,2]}]\"]")),
          rank == 1 ? Foreign.compute(2) : Foreign.collective(2, 0, "5"));
    }

    assertThat(((Node.Collective) nodes(Imports.read(set), 0).get(1)).group())
        .isEqualTo(new Group.Members("rank", List.of(0, 2)));
  }

  @Test
  void everyKindOfAttributeIsKept() throws IOException {
    AttributeProto[] odd = {
      Attributes.strings("strings", List.of("", "a,b", "\"q\"\n")),
      AttributeProto.newBuilder().setName("double").setDoubleVal(0.1).build(),
      AttributeProto.newBuilder().setName("nan").setDoubleVal(Double.NaN).build(),
      AttributeProto.newBuilder().setName("float").setFloatVal(-1e-30f).build(),
      AttributeProto.newBuilder().setName("uint32").setUint32Val(-1).build(),
      AttributeProto.newBuilder().setName("uint64").setUint64Val(-1L).build(),
      AttributeProto.newBuilder().setName("sint64").setSint64Val(Long.MIN_VALUE).build(),
      AttributeProto.newBuilder().setName("fixed32").setFixed32Val(-2).build(),
      AttributeProto.newBuilder().setName("sfixed64").setSfixed64Val(-2).build(),
      AttributeProto.newBuilder()
          .setName("bytes")
          .setBytesVal(ByteString.copyFrom(new byte[] {0, -1}))
          .build(),
      AttributeProto.newBuilder().setName("none").build(),
      AttributeProto.newBuilder()
          .setName("doubles")
          .setDoubleList(DoubleList.newBuilder().addValues(1).addValues(-0.0))
          .build(),
      AttributeProto.newBuilder().setName("floats").setFloatList(FloatList.newBuilder()).build(),
      Attributes.int64("twice", 1),
      Attributes.string("twice", "2"),
      AttributeProto.newBuilder().setName("num_ops").setUint32Val(7).build(),
      Attributes.int32("tensor_size", 9),
      Attributes.int32("is_cpu_op", 0)
    };
    Foreign.write(set.resolve("w.0.et"), Foreign.node(0, NodeType.COMP_NODE, odd));

    Imports.convert(set, out, Map.of());

    RoundTripTest.assertEqual(set, out);
    assertThat(((Node.Compute) nodes(Imports.read(set), 0).get(0)).flops()).isEqualTo(7);
  }

  @Test
  void gzipIsKnownByItsContent() throws IOException {
    Foreign.write(temp.resolve("plain"), Foreign.pytorch(0));
    try (OutputStream file = new GZIPOutputStream(Files.newOutputStream(set.resolve("w.0.et")))) {
      Files.copy(temp.resolve("plain"), file);
    }
    Foreign.write(set.resolve("w.1.et"), Foreign.pytorch(1));

    Imported imported = Imports.read(set);

    assertThat(nodes(imported, 0)).hasSize(9);
  }

  @Test
  void theJsonFormIsReadToo() throws IOException {
    Files.writeString(
        set.resolve("w.0.json"),
        """
        [{"version": "0.0.4"},
         {"id": "18446744073709551615", "name": "b", "type": "COMM_COLL_NODE", "dataDeps": ["3"],
          "durationMicros": "5", "attr": [
            {"name": "comm_type", "int64Val": "2"}, {"name": "comm_size", "int64Val": "64"},
            {"name": "involved_dim", "boolList": {"values": [true, true]}}]},
         {"id": 3, "name": "a", "type": 4, "inputs": {"values": "[]"}, "attr": [
            {"name": "num_ops", "int64_val": 7}, {"name": "tensor_size", "uint64Val": "8"},
            {"name": "x", "bytesVal": "AP8="}]}]
        """);

    Imports.convert(set, out, Map.of());

    assertThat(Traces.nodes(out, 0))
        .extracting(node -> node.getName() + " " + Long.toUnsignedString(node.getId()))
        .containsExactly("a 3", "b 18446744073709551615");
    assertThat(Traces.node(out, 0, "b").getDataDepsList()).containsExactly(3L);
    assertThat(Traces.attribute(Traces.node(out, 0, "a"), "x").getBytesVal().size()).isEqualTo(2);
  }

  @Test
  void ranksWhoseFilesAreEqualAreOneClass() throws IOException {
    for (int rank = 0; rank < 4; rank++) {
      Foreign.write(
          set.resolve("w." + rank + ".et"),
          rank < 3 ? Foreign.compute(1) : Foreign.compute(2),
          Foreign.collective(5, 0, ""));
    }

    assertThat(Imports.read(set).workload().classes())
        .extracting(RankClass::ranks)
        .asString()
        .isEqualTo("[0-2, 3]");
  }

  @Test
  void messagesHaveTheirPeersAsOffsets() throws IOException {
    Foreign.write(set.resolve("w.0.et"), Foreign.send(1, 1));
    Foreign.write(set.resolve("w.1.et"), Foreign.recv(1, 0));

    Imported imported = Imports.read(set);

    assertThat(((Node.Send) nodes(imported, 0).get(0)).peer().text()).endsWith(":+1");
    assertThat(((Node.Recv) nodes(imported, 1).get(0)).peer().text()).endsWith(":-1");
  }

  @Test
  void whatTheSimulatorsConfigurationsSayIsTakenOver() throws IOException {
    Foreign.write(set.resolve("w.0.et"), Foreign.compute(1));
    Foreign.write(set.resolve("w.1.et"), Foreign.compute(1));
    Files.writeString(
        set.resolve("network.yml"),
        "topology: [ Ring ]\nnpus_count: [ 2 ]\nbandwidth: [ 50.0 ]  # GB/s\nlatency: [ 500 ]\n");
    Files.writeString(set.resolve("system.json"), "{\"peak-perf\": 900, \"local-mem-bw\": 1600}");

    Imported imported = Imports.read(set);

    assertThat(imported.workload().hardware())
        .contains(new Hardware("custom", Map.of("bf16", 900.0), 0, 1600));
    assertThat(imported.workload().network())
        .singleElement()
        .isEqualTo(
            new NetworkDimension(NetworkDimension.Topology.RING, 2, 50.0 * (1 << 30) / 1e9, 500));
  }

  @Test
  void anOrderCanBeAddedToATraceThatHasNone() throws IOException {
    for (int rank = 0; rank < 2; rank++) {
      Foreign.write(
          set.resolve("w." + rank + ".et"),
          Foreign.collective(1, 0, ""),
          Foreign.collective(2, 2, ""));
    }

    Imports.convert(set, out, Map.of("order", "total"));

    assertThat(Traces.nodes(out.resolve("."), 0).get(1).getCtrlDepsList()).containsExactly(1L);
  }

  @Test
  void aNodeThatSaysTooLittleIsPassedOnAndNamed() throws IOException {
    Foreign.write(
        set.resolve("w.0.et"),
        Foreign.compute(1),
        Foreign.node(2, NodeType.COMM_SEND_NODE).addDataDeps(1),
        Foreign.collective(3, 77, ""),
        Foreign.node(4, NodeType.INVALID_NODE).setTypeValue(12));

    assertThat(Imports.read(set).losses())
        .extracting(Object::toString)
        .allMatch(loss -> loss.startsWith(set + ": 1 node of type "))
        .anyMatch(loss -> loss.contains("type 12 without a known type, such as n4"))
        .anyMatch(loss -> loss.contains("type 5 without comm_dst, such as n2"))
        .anyMatch(loss -> loss.contains("type 7 without a known comm_type, such as n3"));
    Imports.convert(set, out, Map.of());
    RoundTripTest.assertEqual(set, out);
  }

  @Test
  void whatChakraDoesNotHaveIsALoss() throws IOException {
    AttributeProto documented =
        AttributeProto.newBuilder().setName("x").setDocString("why").setInt64Val(1).build();
    Foreign.write(set.resolve("w.0.et"), Foreign.compute(1).addAttr(documented));

    assertThat(Imports.read(set).losses())
        .singleElement()
        .hasToString(set + ": 1 doc strings of attributes. They were dropped.");
  }

  /** Rank 0 sums over both groups in one order, rank 1 in the other. */
  @Test
  void ordersThatContradictOneAnotherDoNotBecomeOne(@TempDir Path temp) throws IOException {
    Path from = Files.createDirectory(temp.resolve("from"));
    Foreign.write(
        from.resolve("w.0.et"), Foreign.collective(1, 0, "1"), Foreign.collective(2, 0, "2"));
    Foreign.write(
        from.resolve("w.1.et"), Foreign.collective(1, 0, "2"), Foreign.collective(2, 0, "1"));
    Files.writeString(from.resolve("w.json"), "{\"1\": [0, 1], \"2\": [0, 1]}");

    Imports.convert(from, temp.resolve("none"), Map.of("order", "none"));
    assertThatThrownBy(() -> Imports.convert(from, temp.resolve("total"), Map.of("order", "total")))
        .isInstanceOf(InputException.class)
        .hasMessageStartingWith("order: total cannot be written: ")
        .hasMessageContaining("contradict one another");
  }
}
