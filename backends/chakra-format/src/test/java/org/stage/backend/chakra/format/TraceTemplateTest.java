package org.stage.backend.chakra.format;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.CodedInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.stage.backend.chakra.format.proto.Node;
import org.stage.backend.chakra.format.proto.NodeType;

final class TraceTemplateTest {
  @TempDir Path directory;

  @Test
  void aNodeIsItsLengthItsSharedFieldsAndWhatTheRankFillsIn() throws IOException {
    TraceTemplate.Builder builder = new TraceTemplate.Builder(false);
    builder.add(Node.newBuilder().setId(1).setType(NodeType.COMM_COLL_NODE).build(), 0);
    byte[][] fills = {TraceTemplate.fill(Attributes.string("pg_name", "12"))};

    assertThat(bytes(builder.build(), fills))
        .isEqualTo(
            "07"
                + "0a05302e302e34" // metadata: version 0.0.4
                + "14" // 20 bytes: 4 shared, 16 of the rank
                + "0801"
                + "1807"
                + "520e"
                + "0a0770675f6e616d65"
                + "ea01023132"); // pg_name = "12"
  }

  @ParameterizedTest
  @ValueSource(
      ints = {0, 20, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 105, 110, 16_250, 16_400})
  void theLengthIsRightOnBothSidesOfEachVarintBoundary(int nameLength) throws IOException {
    Node shared = Node.newBuilder().setId(7).setName("x".repeat(nameLength)).build();
    TraceTemplate.Builder builder = new TraceTemplate.Builder(false);
    builder.add(shared, 0);
    builder.add(shared);
    builder.add(shared, 1);
    TraceTemplate template = builder.build();
    assertThat(template.nodes()).isEqualTo(3);
    for (String group : new String[] {"1", "22", "131072"}) {
      byte[][] fills = {
        TraceTemplate.fill(Attributes.string("pg_name", group)),
        TraceTemplate.fill(Attributes.int32("comm_src", 9), Attributes.int32("comm_dst", 131_071))
      };
      Path file = directory.resolve("w.0.et");
      new TraceWriter(false).write(file, template, fills);
      try (TraceReader reader = new TraceReader(file)) {
        assertThat(reader.next())
            .isEqualTo(shared.toBuilder().addAttr(Attributes.string("pg_name", group)).build());
        assertThat(reader.next()).isEqualTo(shared);
        assertThat(reader.next())
            .isEqualTo(
                shared.toBuilder()
                    .addAttr(Attributes.int32("comm_src", 9))
                    .addAttr(Attributes.int32("comm_dst", 131_071))
                    .build());
        assertThat(reader.next()).isNull();
      }
    }
  }

  @Test
  void aShorterRankAfterALongerOneLeavesNothingBehind() throws IOException {
    TraceTemplate.Builder builder = new TraceTemplate.Builder(false);
    builder.add(Node.newBuilder().setId(1).build(), 0);
    TraceTemplate template = builder.build();
    TraceWriter writer = new TraceWriter(false);
    Path file = directory.resolve("w.0.et");
    for (String group : new String[] {"123456", "1"}) {
      writer.write(
          file, template, new byte[][] {TraceTemplate.fill(Attributes.string("pg_name", group))});
    }
    CodedInputStream in = CodedInputStream.newInstance(Files.readAllBytes(file));
    in.skipRawBytes(8);
    assertThat(Files.size(file)).isEqualTo(8 + 1 + in.readRawVarint32());
  }

  @Test
  void aCompressedFileSaysInItsMetadataThatItIsMeantSo() throws IOException {
    TraceTemplate.Builder builder = new TraceTemplate.Builder(true);
    builder.add(Node.newBuilder().setId(3).build());
    Path file = directory.resolve("w.0.et");
    new TraceWriter(true).write(file, builder.build(), new byte[0][]);
    try (TraceReader reader = new TraceReader(file)) {
      assertThat(reader.gzip()).isTrue();
      assertThat(reader.metadata().getAttrList()).containsExactly(TraceTemplate.GZIP_MARK);
      assertThat(reader.next()).isEqualTo(Node.newBuilder().setId(3).build());
    }
  }

  private String bytes(TraceTemplate template, byte[][] fills) throws IOException {
    Path file = directory.resolve("w.0.et");
    new TraceWriter(false).write(file, template, fills);
    return HexFormat.of().formatHex(Files.readAllBytes(file));
  }
}
