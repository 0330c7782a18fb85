package org.stage.backend.chakra.format;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.stage.backend.chakra.format.proto.AttributeProto;
import org.stage.backend.chakra.format.proto.GlobalMetadata;
import org.stage.backend.chakra.format.proto.Node;

/**
 * The trace of many ranks, encoded once, with holes for the attributes in which the ranks differ.
 *
 * <p>A message is a sequence of fields in any order, so what differs can stand at its end: a rank's
 * bytes are constant runs, and between them nodes whose last attributes are {@link #fill filled in}
 * and whose length is written anew.
 */
public final class TraceTemplate {
  /**
   * An attribute of the metadata of files that are compressed on purpose, for an older feeder. The
   * current one takes a compressed file for a damaged one, so it must not look like an accident.
   */
  public static final AttributeProto GZIP_MARK = Attributes.bool("gzip", true);

  private static final String SCHEMA_VERSION = "0.0.4";

  private final byte[] constant;
  private final int[] bodies;
  private final int[] ends;
  private final int[] slots;
  private final int nodes;

  private TraceTemplate(Builder builder) {
    this.constant = builder.bytes.toByteArray();
    this.bodies = Arrays.copyOf(builder.bodies, builder.holes);
    this.ends = Arrays.copyOf(builder.ends, builder.holes);
    this.slots = Arrays.copyOf(builder.slots, builder.holes);
    this.nodes = builder.nodes;
  }

  /** Attributes as they stand in a node: what goes into a hole. */
  public static byte[] fill(AttributeProto... attributes) {
    return Node.newBuilder().addAllAttr(List.of(attributes)).build().toByteArray();
  }

  /** Number of nodes. */
  public int nodes() {
    return nodes;
  }

  /** The size of one rank's trace. */
  int size(byte[][] fills) {
    long size = constant.length;
    for (int i = 0; i < slots.length; i++) {
      int fill = fills[slots[i]].length;
      size += fill + CodedOutputStream.computeUInt32SizeNoTag(ends[i] - bodies[i] + fill);
    }
    return Math.toIntExact(size);
  }

  /** Writes one rank's trace to the start of {@code target}. */
  void write(byte[][] fills, byte[] target) {
    int from = 0;
    int to = 0;
    for (int i = 0; i < slots.length; i++) {
      byte[] fill = fills[slots[i]];
      int run = bodies[i] - from;
      System.arraycopy(constant, from, target, to, run);
      to = writeVarint(target, to + run, ends[i] - bodies[i] + fill.length);
      int body = ends[i] - bodies[i];
      System.arraycopy(constant, bodies[i], target, to, body);
      System.arraycopy(fill, 0, target, to + body, fill.length);
      to += body + fill.length;
      from = ends[i];
    }
    System.arraycopy(constant, from, target, to, constant.length - from);
  }

  private static int writeVarint(byte[] target, int at, int value) {
    int left = value;
    int to = at;
    while (left >= 0x80) {
      target[to++] = (byte) (left | 0x80);
      left >>>= 7;
    }
    target[to++] = (byte) left;
    return to;
  }

  /** Takes the nodes in order. */
  public static final class Builder {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private int[] bodies = new int[64];
    private int[] ends = new int[64];
    private int[] slots = new int[64];
    private int holes;
    private int nodes;

    /**
     * Begins with the metadata.
     *
     * @param gzip whether the files will be compressed on purpose, which the metadata then say
     */
    public Builder(boolean gzip) throws IOException {
      this(GlobalMetadata.newBuilder().setVersion(SCHEMA_VERSION).build(), gzip);
    }

    /** Begins with {@code metadata}, which then say whether the files will be compressed. */
    public Builder(GlobalMetadata metadata, boolean gzip) throws IOException {
      GlobalMetadata.Builder marked = metadata.toBuilder();
      if (gzip && !metadata.getAttrList().contains(GZIP_MARK)) {
        marked.addAttr(GZIP_MARK);
      }
      marked.build().writeDelimitedTo(bytes);
    }

    /** Adds a node that is the same for all ranks. */
    public void add(Node node) throws IOException {
      node.writeDelimitedTo(bytes);
      nodes++;
    }

    /** Adds a node that ends with the attributes that each rank puts into {@code slot}. */
    public void add(Node node, int slot) throws IOException {
      if (holes == slots.length) {
        bodies = Arrays.copyOf(bodies, 2 * holes);
        ends = Arrays.copyOf(ends, 2 * holes);
        slots = Arrays.copyOf(slots, 2 * holes);
      }
      bodies[holes] = bytes.size();
      node.writeTo(bytes);
      ends[holes] = bytes.size();
      slots[holes++] = slot;
      nodes++;
    }

    /** The template. */
    public TraceTemplate build() {
      return new TraceTemplate(this);
    }
  }
}
