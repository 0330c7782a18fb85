package org.stage.backend.chakra;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.stage.backend.chakra.format.Attributes;
import org.stage.backend.chakra.format.proto.AttributeProto;
import org.stage.backend.chakra.format.proto.GlobalMetadata;
import org.stage.backend.chakra.format.proto.IOInfo;
import org.stage.backend.chakra.format.proto.Node;
import org.stage.backend.chakra.format.proto.NodeType;

/** Traces as others write them. */
final class Foreign {
  /** As PyTorch writes process groups: a list of one string, which holds JSON. */
  static final String GROUPS =
      "['[{\"pg_name\": \"0\", \"pg_desc\": \"default_pg\", \"ranks\": [], \"group_size\": 2},"
          + " {\"pg_name\": \"13\", \"pg_desc\": \"tp\", \"ranks\": [1, 0], \"group_size\": 2}]']";

  private Foreign() {}

  static Node.Builder node(long id, NodeType type, AttributeProto... attributes) {
    return Node.newBuilder()
        .setId(id)
        .setName("n" + id)
        .setType(type)
        .addAllAttr(List.of(attributes));
  }

  static Node.Builder compute(long id) {
    return node(
        id,
        NodeType.COMP_NODE,
        Attributes.int64("num_ops", 1000),
        Attributes.uint64("tensor_size", 100));
  }

  static Node.Builder collective(long id, long type, String group) {
    return node(
        id,
        NodeType.COMM_COLL_NODE,
        Attributes.int64("comm_type", type),
        Attributes.int64("comm_size", 4096),
        Attributes.string("pg_name", group));
  }

  static Node.Builder send(long id, int to) {
    return node(
        id,
        NodeType.COMM_SEND_NODE,
        Attributes.int32("comm_dst", to),
        Attributes.int32("comm_tag", 1),
        Attributes.int64("comm_size", 64));
  }

  static Node.Builder recv(long id, int from) {
    return node(
        id,
        NodeType.COMM_RECV_NODE,
        Attributes.int32("comm_src", from),
        Attributes.int32("comm_tag", 1),
        Attributes.int64("comm_size", 64));
  }

  /** Writes the trace of a rank with the metadata that Chakra's converter writes. */
  static void write(Path file, Node.Builder... nodes) throws IOException {
    write(
        file,
        GlobalMetadata.newBuilder()
            .setVersion("0.0.4")
            .addAttr(Attributes.string("schema", "1.1.1-chakra.0.0.4"))
            .addAttr(Attributes.int64("pid", 77)),
        nodes);
  }

  static void write(Path file, GlobalMetadata.Builder metadata, Node.Builder... nodes)
      throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      metadata.build().writeDelimitedTo(out);
      for (Node.Builder node : nodes) {
        node.build().writeDelimitedTo(out);
      }
    }
  }

  /** One rank as it is collected from PyTorch: every kind of node, ids in no order, odd kinds. */
  static Node.Builder[] pytorch(int rank) {
    List<Node.Builder> nodes = new ArrayList<>();
    nodes.add(
        node(2, NodeType.METADATA_NODE, Attributes.int64("rf_id", 0))
            .setName("## process_group:init ##")
            .setInputs(
                IOInfo.newBuilder().setValues(GROUPS).setShapes("[[]]").setTypes("['String']")));
    nodes.add(
        node(
                9,
                NodeType.COMP_NODE,
                Attributes.bool("is_cpu_op", true),
                Attributes.int64("fw_parent", 0),
                Attributes.string("op_schema", "aten::mm(Tensor self, Tensor mat2) -> Tensor"))
            .setName("aten::mm")
            .addCtrlDeps(2)
            .setStartTimeMicros(1_700_000_000_000_000L + rank)
            .setDurationMicros(12)
            .setInputs(IOInfo.newBuilder().setValues("[[3, 4]]").setTypes("['Tensor(float)']"))
            .setOutputs(IOInfo.newBuilder().setValues("[[5]]")));
    nodes.add(
        compute(11)
            .setName("ampere_sgemm_128x64")
            .addDataDeps(9)
            .setDurationMicros(120)
            .addAttr(Attributes.int64("stream", 7)));
    nodes.add(collective(15, 0, "13").setName("ncclAllReduce").addDataDeps(11).addCtrlDeps(14));
    nodes.add(collective(14, 5, "0").setName("nccl:broadcast").addDataDeps(11).addDataDeps(11));
    nodes.add(collective(16, 9, "").setName("nccl:barrier").addDataDeps(15));
    nodes.add(
        node(
            17,
            NodeType.MEM_LOAD_NODE,
            Attributes.uint64("tensor_size", 64),
            Attributes.int32("comm_priority", 3)));
    nodes.add(node(18, NodeType.INVALID_NODE).addDataDeps(17));
    nodes.add(node(-1L, NodeType.MEM_STORE_NODE, Attributes.uint64("tensor_size", 8)));
    return nodes.toArray(Node.Builder[]::new);
  }
}
