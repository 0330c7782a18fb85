package org.stage.backend.chakra;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.stage.api.workload.Attribute;
import org.stage.api.workload.JobMesh;
import org.stage.api.workload.Node;
import org.stage.api.workload.RankSet;
import org.stage.backend.chakra.format.Attributes;
import org.stage.backend.chakra.format.proto.AttributeProto;
import org.stage.backend.chakra.format.proto.GlobalMetadata;
import org.stage.backend.chakra.format.proto.NodeType;
import org.stage.backend.chakra.read.PassedOn;

/**
 * Says the nodes of a Chakra trace again as it said them: nothing is rounded or refused that a
 * simulator would not take, as that is for a check of the trace to say.
 */
final class ToldTranslator {
  private final JobMesh mesh;
  private final RankSet ranks;
  private final NodeHeads heads;
  private final CommOrder order;

  /** Groups and peers as the order of communication tells them apart, below the slots. */
  private final Map<Object, Integer> lanes = new HashMap<>();

  ToldTranslator(JobMesh mesh, RankSet ranks, NodeHeads heads, CommOrder order) {
    this.mesh = mesh;
    this.ranks = ranks;
    this.heads = heads;
    this.order = order;
  }

  /** The metadata that a trace had. */
  static GlobalMetadata metadata(List<Attribute> attributes) {
    GlobalMetadata.Builder metadata = GlobalMetadata.newBuilder();
    for (Attribute attribute : attributes) {
      if (attribute.type().equals(PassedOn.VERSION)) {
        metadata.setVersion(attribute.values().get(0));
      } else {
        metadata.addAttr(PassedOn.proto(attribute));
      }
    }
    return metadata.build();
  }

  /**
   * Whether the trace said with whom {@code node} communicates, and it is the same for each rank of
   * the class.
   */
  boolean canSay(Node node) {
    if (node instanceof Node.Collective collective) {
      return collective.group().size() == mesh.ranks().size()
          || node.details().attributes().stream()
              .anyMatch(
                  each -> each.name().equals("pg_name") || each.name().equals("involved_dim"));
    }
    boolean message = node instanceof Node.Send || node instanceof Node.Recv;
    return !message || ranks.size() == 1;
  }

  org.stage.backend.chakra.format.proto.Node translate(Node node) {
    if (node instanceof Node.Compute compute) {
      return say(
          node,
          NodeType.COMP_NODE,
          CommOrder.NONE,
          Attributes.int64("num_ops", compute.flops() + compute.otherFlops()),
          Attributes.uint64("tensor_size", compute.bytesRead() + compute.bytesWritten()));
    }
    if (node instanceof Node.Collective collective) {
      return say(
          node,
          NodeType.COMM_COLL_NODE,
          order.before(node.id(), lane(collective.group())),
          Attributes.int64("comm_type", Transfers.type(collective.kind()).getNumber()),
          Attributes.int64("comm_size", collective.bytes()));
    }
    if (node instanceof Node.Send send) {
      return say(
          node,
          NodeType.COMM_SEND_NODE,
          order.before(node.id(), lane(send.peer())),
          Attributes.int32("comm_dst", mesh.peer(ranks.first(), send.peer())),
          Attributes.int64("comm_size", send.bytes()),
          Attributes.int32("comm_tag", send.tag()));
    }
    if (node instanceof Node.Recv recv) {
      return say(
          node,
          NodeType.COMM_RECV_NODE,
          CommOrder.NONE,
          Attributes.int32("comm_src", mesh.peer(ranks.first(), recv.peer())),
          Attributes.int64("comm_size", recv.bytes()),
          Attributes.int32("comm_tag", recv.tag()));
    }
    return translateOther(node);
  }

  private org.stage.backend.chakra.format.proto.Node translateOther(Node node) {
    if (node instanceof Node.MemoryLoad load) {
      AttributeProto size = Attributes.uint64("tensor_size", load.bytes());
      return say(node, NodeType.MEM_LOAD_NODE, CommOrder.NONE, size);
    }
    if (node instanceof Node.MemoryStore store) {
      AttributeProto size = Attributes.uint64("tensor_size", store.bytes());
      return say(node, NodeType.MEM_STORE_NODE, CommOrder.NONE, size);
    }
    if (node instanceof Node.Marker marker) {
      var message = heads.begin(node, NodeType.INVALID_NODE, CommOrder.NONE);
      message.setTypeValue(typeValue(marker.kind()));
      return heads.end(Transfers.timed(message, node), node);
    }
    return say(node, NodeType.COMP_NODE, CommOrder.NONE);
  }

  private org.stage.backend.chakra.format.proto.Node say(
      Node node, NodeType type, int before, AttributeProto... stated) {
    var message = heads.begin(node, type, before);
    return heads.end(Transfers.timed(message, node), node, stated);
  }

  private static int typeValue(String kind) {
    return kind.matches("-?\\d{1,10}")
        ? Integer.parseInt(kind)
        : NodeType.valueOf(kind).getNumber();
  }

  private int lane(Object partner) {
    return lanes.computeIfAbsent(partner, key -> -2 - lanes.size());
  }
}
