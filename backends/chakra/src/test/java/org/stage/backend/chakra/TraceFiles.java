package org.stage.backend.chakra;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.stage.backend.chakra.format.Attributes;
import org.stage.backend.chakra.format.proto.GlobalMetadata;
import org.stage.backend.chakra.format.proto.Node;
import org.stage.backend.chakra.format.proto.NodeType;

/** Writes trace sets node by node, right and wrong ones. */
final class TraceFiles {
  private final Path directory;

  TraceFiles(Path directory) {
    this.directory = directory;
  }

  TraceFiles rank(int rank, Node.Builder... nodes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    GlobalMetadata.newBuilder().setVersion("0.0.4").build().writeDelimitedTo(out);
    for (Node.Builder node : nodes) {
      node.build().writeDelimitedTo(out);
    }
    Files.write(directory.resolve("w." + rank + ".et"), out.toByteArray());
    return this;
  }

  /** The same nodes on each of {@code ranks}. */
  TraceFiles ranks(int ranks, Node.Builder... nodes) throws IOException {
    for (int rank = 0; rank < ranks; rank++) {
      rank(rank, nodes);
    }
    return this;
  }

  TraceFiles file(String name, String content) throws IOException {
    Files.writeString(directory.resolve(name), content);
    return this;
  }

  static Node.Builder compute(long id, long... deps) {
    return node(id, NodeType.COMP_NODE, deps)
        .addAttr(Attributes.int64("num_ops", 1000))
        .addAttr(Attributes.uint64("tensor_size", 1000));
  }

  static Node.Builder collective(long id, int type, long bytes, String group, long... deps) {
    return node(id, NodeType.COMM_COLL_NODE, deps)
        .addAttr(Attributes.int64("comm_type", type))
        .addAttr(Attributes.int64("comm_size", bytes))
        .addAttr(Attributes.string("pg_name", group));
  }

  static Node.Builder allReduce(long id, String group, long... deps) {
    return collective(id, 0, 1024, group, deps);
  }

  static Node.Builder send(long id, int to, int tag, long bytes, long... deps) {
    return node(id, NodeType.COMM_SEND_NODE, deps)
        .addAttr(Attributes.int32("comm_dst", to))
        .addAttr(Attributes.int32("comm_tag", tag))
        .addAttr(Attributes.int64("comm_size", bytes));
  }

  static Node.Builder recv(long id, int from, int tag, long bytes, long... deps) {
    return node(id, NodeType.COMM_RECV_NODE, deps)
        .addAttr(Attributes.int32("comm_src", from))
        .addAttr(Attributes.int32("comm_tag", tag))
        .addAttr(Attributes.int64("comm_size", bytes));
  }

  static Node.Builder node(long id, NodeType type, long... deps) {
    Node.Builder node =
        Node.newBuilder()
            .setId(id)
            .setName("n" + Long.toUnsignedString(id))
            .setType(type)
            .addAttr(Attributes.bool("is_cpu_op", false));
    for (long dep : deps) {
      node.addDataDeps(dep);
    }
    return node;
  }
}
