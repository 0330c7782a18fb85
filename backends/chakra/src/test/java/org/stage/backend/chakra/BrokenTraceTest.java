package org.stage.backend.chakra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.stage.api.diagnostic.InputException;
import org.stage.api.diagnostic.Severity;
import org.stage.api.plugin.Progress;
import org.stage.api.plugin.TraceValidator.Validation;
import org.stage.api.workload.Workload;
import org.stage.backend.chakra.format.Attributes;
import org.stage.backend.chakra.format.proto.GlobalMetadata;
import org.stage.backend.chakra.format.proto.IOInfo;
import org.stage.backend.chakra.format.proto.Node;
import org.stage.backend.chakra.format.proto.NodeType;

/**
 * Broken sets: each is refused by the importer with a message that says what and where, and the
 * validator finds a fault in it; neither fails in any other way.
 */
class BrokenTraceTest {
  @TempDir Path temp;

  /** Writes a broken set. */
  @FunctionalInterface
  private interface Breaker {
    void write(Path set) throws IOException;
  }

  /** How sets are broken, by what the refusal says. */
  private static final Map<String, Map<String, Breaker>> BROKEN = new LinkedHashMap<>();

  private static void broken(String what, String says, Breaker breaker) {
    BROKEN.computeIfAbsent(what, key -> new LinkedHashMap<>()).put(says, breaker);
  }

  private static void node(String what, String says, Node.Builder... nodes) {
    broken(what, says, set -> Foreign.write(set.resolve("w.0.et"), nodes));
  }

  private static void pair(String what, String says, Node.Builder first, Node.Builder second) {
    broken(
        what,
        says,
        set -> {
          Foreign.write(set.resolve("w.0.et"), first);
          Foreign.write(set.resolve("w.1.et"), second);
        });
  }

  private static void bytes(String what, String says, byte[] bytes) {
    broken(what, says, set -> Files.write(set.resolve("w.0.et"), bytes));
  }

  private static byte[] whole() {
    try {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      GlobalMetadata.newBuilder().setVersion("0.0.4").build().writeDelimitedTo(out);
      for (int id = 1; id <= 3; id++) {
        Foreign.compute(id).build().writeDelimitedTo(out);
      }
      return out.toByteArray();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  private static byte[] ints(int... values) {
    byte[] bytes = new byte[values.length];
    IntStream.range(0, values.length).forEach(i -> bytes[i] = (byte) values[i]);
    return bytes;
  }

  static {
    bytes("a file of nothing", "is empty", new byte[0]);
    bytes("only metadata", "has no node", ints(7, 10, 5, '0', '.', '0', '.', '4'));
    bytes("the last byte missing", "cut short?", Arrays.copyOf(whole(), whole().length - 1));
    bytes("half of the file missing", "cut short?", Arrays.copyOf(whole(), whole().length / 2));
    bytes("a length cut off", "within the length", joined(whole(), ints(0x80)));
    bytes("a length of 2 GB", "over the limit", joined(whole(), ints(255, 255, 255, 255, 7)));
    bytes("a length of 34 GB", "over the limit", joined(whole(), ints(255, 255, 255, 255, 127)));
    bytes(
        "a length of ten bytes",
        "takes more than 5 bytes",
        joined(whole(), ints(255, 255, 255, 255, 255, 255, 255, 255, 255, 1)));
    bytes("a length that lies", "ends after 3", joined(whole(), ints(0xC0, 0x84, 0x3D, 1, 2, 3)));
    bytes("zeros behind the nodes", "a node of no bytes", joined(whole(), new byte[4096]));
    bytes("a file of zeros", "a node of no bytes", new byte[1 << 20]);
    bytes(
        "text",
        "",
        "this is no trace, but a text of some length\n"
            .repeat(9)
            .getBytes(java.nio.charset.StandardCharsets.UTF_8));
    bytes("an image", "", ints(0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0, 0, 0, 13, 'I', 'H'));
    bytes("a gzip header alone", "gzip header is damaged", ints(0x1f, 0x8b));
    bytes("a gzip header of another method", "gzip header is damaged", ints(0x1f, 0x8b, 1, 0));
    bytes(
        "a huge varint for an id",
        "a node",
        joined(whole(), ints(12, 8, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1)));
    bytes("a field of group type", "a node", joined(whole(), ints(2, 0x0B, 0x0B)));
    bytes("a tag of 0", "a node", joined(whole(), ints(2, 0, 0)));
    bytes("a name that is no UTF-8", "a node", joined(whole(), ints(4, 0x12, 2, 0xC3, 0x28)));
    bytes("an inner length beyond the node", "a node", joined(whole(), ints(4, 0x12, 0x7F, 1, 2)));
    bytes("nested too deep", "", joined(whole(), deep()));
    broken("a gzip cut short", "damaged or cut short", set -> gzip(set, whole(), 0.6));
    broken("a gzip with a wrong sum", "damaged or cut short", BrokenTraceTest::wrongSum);
    broken("a gzip bomb of zeros", "", set -> bomb(set, new byte[1 << 20]));
    broken("a gzip bomb of one long name", "", BrokenTraceTest::longName);
    broken("a gzip bomb of equal nodes", "", BrokenTraceTest::equalNodes);
    broken(
        "no metadata",
        "the metadata",
        set -> {
          ByteArrayOutputStream out = new ByteArrayOutputStream();
          Foreign.collective(1, 0, "").build().writeDelimitedTo(out);
          Foreign.compute(2).build().writeDelimitedTo(out);
          Files.write(set.resolve("w.0.et"), out.toByteArray());
        });
    broken(
        "rank 0 missing",
        "rank 0 has no file",
        set -> Foreign.write(set.resolve("w.1.et"), Foreign.compute(1)));
    broken(
        "a far rank",
        "rank 1 has no file",
        set -> {
          Foreign.write(set.resolve("w.0.et"), Foreign.compute(1));
          Foreign.write(set.resolve("w.999999999.et"), Foreign.compute(1));
        });
    broken(
        "a rank twice",
        "same rank",
        set -> {
          Foreign.write(set.resolve("w.0.et"), Foreign.compute(1));
          Foreign.write(set.resolve("w.00.et"), Foreign.compute(1));
        });
    broken(
        "a folder instead of a file",
        "no files named",
        set -> Files.createDirectory(set.resolve("w.0.et")));
    broken("nothing at all", "no files named", set -> {});

    node("an id twice", "is there twice", Foreign.compute(1), Foreign.compute(1));
    node("a node that waits for itself", "waits for itself", Foreign.compute(1).addDataDeps(1));
    node(
        "a cycle of two",
        "waits for itself",
        Foreign.compute(1),
        Foreign.compute(2).addDataDeps(3),
        Foreign.compute(3).addCtrlDeps(2));
    node("num_ops as a string", "num_ops that is no integer", with("num_ops", "7"));
    node("tensor_size as a string", "tensor_size that is no integer", with("tensor_size", "x"));
    node(
        "num_ops below 0",
        "negative or beyond",
        Foreign.node(
            1,
            NodeType.COMP_NODE,
            Attributes.int64("num_ops", -1),
            Attributes.int64("tensor_size", 1)));
    node(
        "tensor_size beyond 2^63",
        "negative or beyond",
        Foreign.node(
            1,
            NodeType.COMP_NODE,
            Attributes.int64("num_ops", 1),
            Attributes.uint64("tensor_size", -1)));
    node("is_cpu_op as a string", "is_cpu_op that is no integer", with("is_cpu_op", "no"));
    node(
        "a memory node with a text size",
        "tensor_size that is no integer",
        Foreign.node(1, NodeType.MEM_LOAD_NODE, Attributes.string("tensor_size", "1")));
    pair(
        "comm_type as a string",
        "comm_type that is no integer",
        comm("comm_type", "0"),
        comm("comm_type", "0"));
    pair(
        "comm_size as a string",
        "comm_size that is no integer",
        comm("comm_size", "1"),
        comm("comm_size", "1"));
    pair("comm_size below 0", "negative or beyond", sized(-1), sized(-1));
    pair("pg_name as a number", "pg_name that is no string", numbered(), numbered());
    pair(
        "a group that nobody knows",
        "unknown group '9'",
        Foreign.collective(1, 0, "9"),
        Foreign.collective(1, 0, "9"));
    pair(
        "a group named like a path",
        "unknown group '../../etc/passwd'",
        Foreign.collective(1, 0, "../../etc/passwd"),
        Foreign.compute(1));
    pair("a peer without a file", "which has no file", Foreign.send(1, 7), Foreign.recv(1, 0));
    pair("itself as the peer", "its own rank", Foreign.send(1, 0), Foreign.compute(1));
    pair("a peer below 0", "negative or beyond", Foreign.send(1, -1), Foreign.compute(1));
    pair("a tag below 0", "negative or beyond", tagged(-1), Foreign.recv(1, 0));
    pair("a tag beyond 2^31", "below 2^31", tagged(1L << 40), Foreign.recv(1, 0));
    pair(
        "involved_dim as a string",
        "no bool_list",
        Foreign.node(
            1,
            NodeType.COMM_COLL_NODE,
            Attributes.int64("comm_type", 0),
            Attributes.int64("comm_size", 64),
            Attributes.string("involved_dim", "x")),
        Foreign.compute(1));
    node(
        "a group of ranks that are not there",
        "whose rank 5 has no file",
        metadata("[{\"pg_name\": \"3\", \"ranks\": [0, 5]}]"),
        Foreign.collective(2, 0, "3"));
    node(
        "a group without the rank",
        "which lacks the rank",
        metadata("[{\"pg_name\": \"3\", \"ranks\": [1, 2]}]"),
        Foreign.collective(2, 0, "3"));
    node(
        "process groups that are no JSON",
        "no list of process groups",
        metadata("[{\"pg_name\": }]"));
    node(
        "a process group of words",
        "as a rank",
        metadata("[{\"pg_name\": \"3\", \"ranks\": [\"a\"]}]"));
    node("process groups cut short", "no list of process groups", metadata("[{\"pg_name\": \"3\""));
    node(
        "a duration without end",
        "below 2^63 nanoseconds",
        Foreign.compute(1).setDurationMicros(-1));
    groups("a group file of a list", "an object", "[1]");
    groups("a group file cut short", "not JSON", "{\"1\": [0,");
    groups("a group file of huge numbers", "ranks", "{\"1\": [99999999999999999999]}");
    groups("a group file of negative ranks", "ranks", "{\"1\": [-1]}");
    groups("a group twice", "each id once", "{\"1\": [0], \"1\": [0]}");
    groups("a group file of words", "not JSON", "group 1 is ranks 0 and 1");
  }

  private static Node.Builder with(String name, String value) {
    return Foreign.node(1, NodeType.COMP_NODE, Attributes.string(name, value))
        .addAllAttr(Foreign.compute(1).getAttrList());
  }

  private static Node.Builder comm(String name, String value) {
    return Foreign.node(1, NodeType.COMM_COLL_NODE, Attributes.string(name, value))
        .addAllAttr(Foreign.collective(1, 0, "").getAttrList());
  }

  private static Node.Builder sized(long size) {
    return Foreign.node(
        1,
        NodeType.COMM_COLL_NODE,
        Attributes.int64("comm_type", 0),
        Attributes.int64("comm_size", size));
  }

  private static Node.Builder numbered() {
    return Foreign.node(
        1,
        NodeType.COMM_COLL_NODE,
        Attributes.int64("comm_type", 0),
        Attributes.int64("comm_size", 64),
        Attributes.int32("pg_name", 1));
  }

  private static Node.Builder tagged(long tag) {
    return Foreign.node(
        1,
        NodeType.COMM_SEND_NODE,
        Attributes.int32("comm_dst", 1),
        Attributes.int64("comm_tag", tag),
        Attributes.int64("comm_size", 64));
  }

  private static Node.Builder metadata(String groups) {
    return Foreign.node(1, NodeType.METADATA_NODE)
        .setInputs(IOInfo.newBuilder().setValues("['" + groups + "']"));
  }

  private static void groups(String what, String says, String text) {
    broken(
        what,
        says,
        set -> {
          Foreign.write(set.resolve("w.0.et"), Foreign.compute(1));
          Files.writeString(set.resolve("comm_group.json"), text);
        });
  }

  /** A thousand groups that begin in one another, which no parser follows to the end. */
  private static byte[] deep() {
    byte[] inner = new byte[200];
    Arrays.fill(inner, (byte) 0x53);
    return joined(ints(0xC8, 0x01), inner);
  }

  private static byte[] packed(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    }
    return out.toByteArray();
  }

  private static void gzip(Path set, byte[] bytes, double part) throws IOException {
    byte[] packed = packed(bytes);
    Files.write(set.resolve("w.0.et"), Arrays.copyOf(packed, (int) (packed.length * part)));
  }

  private static void wrongSum(Path set) throws IOException {
    byte[] packed = packed(whole());
    packed[packed.length - 6] ^= 0x55;
    Files.write(set.resolve("w.0.et"), packed);
  }

  /** 256 MB behind the metadata, in some 250 kB. */
  private static void bomb(Path set, byte[] chunk) throws IOException {
    try (OutputStream out =
        new GZIPOutputStream(Files.newOutputStream(set.resolve("w.0.et")), 1 << 16)) {
      out.write(whole());
      for (int i = 0; i < 256; i++) {
        out.write(chunk);
      }
    }
  }

  private static void longName(Path set) throws IOException {
    byte[] head = new byte[10];
    CodedOutputStream coded = CodedOutputStream.newInstance(head);
    coded.writeUInt32NoTag(60 << 20);
    coded.writeTag(2, 2);
    coded.writeUInt32NoTag((60 << 20) - 5);
    byte[] name = new byte[1 << 20];
    Arrays.fill(name, (byte) 'a');
    bomb(set, joined(Arrays.copyOf(head, coded.getTotalBytesWritten()), name));
  }

  private static void equalNodes(Path set) throws IOException {
    byte[] nodes = new byte[1 << 20];
    for (int i = 0; i + 3 < nodes.length; i += 3) {
      nodes[i] = 2;
      nodes[i + 1] = 8;
      nodes[i + 2] = 9;
    }
    bomb(set, Arrays.copyOf(nodes, nodes.length - 1));
  }

  @TestFactory
  Stream<DynamicTest> aBrokenSetIsRefusedWithItsReason() {
    assertThat(BROKEN.size()).isGreaterThanOrEqualTo(60);
    return BROKEN.entrySet().stream()
        .flatMap(
            broken ->
                broken.getValue().entrySet().stream()
                    .map(
                        each ->
                            DynamicTest.dynamicTest(
                                broken.getKey(), () -> check(each.getKey(), each.getValue()))));
  }

  private void check(String says, Breaker breaker) throws IOException {
    Path set = Files.createTempDirectory(temp, "set");
    breaker.write(set);

    assertThatThrownBy(() -> Imports.read(set))
        .isExactlyInstanceOf(InputException.class)
        .hasMessageContaining(set.toString())
        .hasMessageContaining(says)
        .satisfies(e -> assertThat(e.getMessage().length()).isLessThan(1000));
    Validation validation = validate(set);
    assertThat(validation.diagnostics()).anyMatch(found -> found.severity() == Severity.ERROR);
  }

  private static Validation validate(Path set) throws IOException {
    return new ChakraValidator().validate(set, Progress.NONE);
  }

  @Test
  void namesInATraceDoNotDecideWhereFilesAreWritten() throws IOException {
    Path set = Files.createDirectory(temp.resolve("set"));
    Path out = Files.createDirectories(temp.resolve("a/b/out"));
    Foreign.write(
        set.resolve("...0.et"),
        metadata("[{\"pg_name\": \"../../evil\", \"ranks\": [0]}]").setName("../../evil"),
        Foreign.collective(2, 0, "../../evil").setName("/tmp/../../evil"));

    Workload workload = Imports.read(set).workload();
    Exports.export(workload, out);

    assertThat(workload.name()).isEqualTo("workload");
    try (Stream<Path> files = Files.walk(temp)) {
      assertThat(files.map(temp::relativize).map(Path::toString))
          .noneMatch(name -> name.contains("evil"))
          .contains("a/b/out/workload.0.et");
    }
  }

  @Test
  void whateverIsDamagedNothingElseIsThrown() throws IOException {
    byte[] good = joined(whole());
    Random random = new Random(7);
    for (int i = 0; i < 400; i++) {
      Path set = Files.createTempDirectory(temp, "fuzz");
      byte[] bad = good.clone();
      for (int k = 0; k <= random.nextInt(4); k++) {
        bad[random.nextInt(bad.length)] = (byte) random.nextInt();
      }
      Files.write(set.resolve("w.0.et"), bad);
      try {
        Imports.read(set);
      } catch (InputException meant) {
        assertThat(meant).hasMessageContaining(set.toString());
      }
      validate(set);
    }
  }
}
