package org.stage.backend.chakra.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.stage.backend.chakra.format.proto.GlobalMetadata;
import org.stage.backend.chakra.format.proto.Node;

final class TraceReaderTest {
  @TempDir Path directory;
  private Path file;
  private byte[] trace;

  @BeforeEach
  void makeTrace() throws IOException {
    file = directory.resolve("w.0.et");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    GlobalMetadata.newBuilder().setVersion("0.0.4").build().writeDelimitedTo(out);
    Node.newBuilder().setId(1).setName("a").build().writeDelimitedTo(out);
    Node.newBuilder().setId(2).setName("b".repeat(300)).build().writeDelimitedTo(out);
    trace = out.toByteArray();
  }

  @Test
  void rawAndCompressedFilesGiveTheSameNodesWhateverTheirName() throws IOException {
    Files.write(file, trace);
    List<Node> raw = read();
    Files.write(file, gzip(trace));
    List<Node> one = read();
    ByteArrayOutputStream members = new ByteArrayOutputStream();
    members.write(gzip(Arrays.copyOf(trace, 20)));
    members.write(gzip(Arrays.copyOfRange(trace, 20, trace.length)));
    Files.write(file, members.toByteArray());
    assertThat(raw).hasSize(2).isEqualTo(one).isEqualTo(read());
  }

  @Test
  void aFileCutAnywhereIsReadUpToThereAndNamesTheMessageThatIsCut() throws IOException {
    List<Integer> whole = List.of(0, 8, 14);
    for (int length = 0; length < trace.length; length++) {
      Files.write(file, Arrays.copyOf(trace, length));
      int cut = length;
      if (whole.contains(length) && length > 0) {
        assertThat(read()).hasSize(whole.indexOf(length) - 1);
      } else {
        long start = whole.stream().filter(at -> at <= cut).mapToInt(at -> at).max().orElseThrow();
        TraceFormatException fault = catchThrowableOfType(TraceFormatException.class, this::read);
        assertThat(fault).describedAs("cut at %d", cut).isNotNull();
        assertThat(fault.offset()).isEqualTo(start);
        assertThat(fault.file()).isEqualTo(file);
        assertThat(fault).hasMessageContaining("w.0.et: byte " + start + ": ");
      }
    }
  }

  @Test
  void aCompressedFileCutAnywhereIsAFault() throws IOException {
    byte[] gzip = gzip(trace);
    for (int length = 2; length < gzip.length; length++) {
      Files.write(file, Arrays.copyOf(gzip, length));
      assertThat(catchThrowableOfType(TraceFormatException.class, this::read))
          .describedAs("cut at %d", length)
          .isNotNull();
    }
  }

  @Test
  void anAnnouncedLengthIsNotAllocatedBeforeItsBytesAreThere() throws IOException {
    Files.write(file, new byte[] {0, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x07, 1});
    assertThat(catchThrowableOfType(TraceFormatException.class, this::read))
        .hasMessageContaining("a message of 16777215 bytes ends after 1");
    Files.write(file, new byte[] {0, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x0f});
    assertThat(catchThrowableOfType(TraceFormatException.class, this::read))
        .hasMessageContaining("4294967295 bytes is announced, over the limit");
    Files.write(file, new byte[] {0, -1, -1, -1, -1, -1, -1});
    assertThat(catchThrowableOfType(TraceFormatException.class, this::read))
        .hasMessageContaining("more than 5 bytes");
  }

  @Test
  void whatIsNoTraceIsAFaultAndNothingElse() throws IOException {
    Random random = new Random(1);
    for (int i = 0; i < 500; i++) {
      byte[] garbage = new byte[random.nextInt(200)];
      random.nextBytes(garbage);
      Files.write(file, garbage);
      try {
        read();
      } catch (TraceFormatException expected) {
        assertThat(expected.offset()).isBetween(0L, (long) garbage.length);
      }
    }
    Files.write(file, "not a trace, but some text".getBytes(StandardCharsets.UTF_8));
    assertThat(catchThrowableOfType(TraceFormatException.class, this::read)).isNotNull();
  }

  @Test
  void attributesOfEveryIntegerKindReadAsIntegers() {
    var one = org.stage.backend.chakra.format.proto.AttributeProto.newBuilder().setName("x");
    assertThat(
            List.of(
                one.setInt32Val(-5).build(),
                one.setInt64Val(-5).build(),
                one.setSint32Val(-5).build(),
                one.setSint64Val(-5).build(),
                one.setSfixed32Val(-5).build(),
                one.setSfixed64Val(-5).build()))
        .allSatisfy(each -> assertThat(Attributes.integer(each)).hasValue(-5));
    assertThat(
            List.of(
                one.setUint32Val(-1).build(),
                one.setFixed32Val(-1).build(),
                one.setUint64Val(0xffffffffL).build(),
                one.setFixed64Val(0xffffffffL).build()))
        .allSatisfy(each -> assertThat(Attributes.integer(each)).hasValue(0xffffffffL));
    assertThat(Attributes.integer(one.setBoolVal(true).build())).hasValue(1);
    assertThat(Attributes.integer(one.setDoubleVal(1).build())).isEmpty();
    assertThat(Attributes.integer(one.setStringVal("1").build())).isEmpty();
  }

  private List<Node> read() throws IOException {
    List<Node> nodes = new ArrayList<>();
    try (TraceReader reader = new TraceReader(file)) {
      for (Node node = reader.next(); node != null; node = reader.next()) {
        nodes.add(node);
      }
    }
    return nodes;
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    }
    return out.toByteArray();
  }
}
