package org.stage.backend.chakra.read;

import com.google.protobuf.Message;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.stage.api.diagnostic.InputException;
import org.stage.backend.chakra.format.proto.AttributeProto;
import org.stage.backend.chakra.format.proto.GlobalMetadata;
import org.stage.backend.chakra.format.proto.Node;
import org.stage.backend.chakra.format.proto.NodeType;

/** What the first reading of a rank's file finds. */
final class RankScan {
  private final RankFile rank;
  private final Groups groups;
  private final Losses losses;

  /**
   * The first collective on each group that is named, as the graph would be of no use without it.
   */
  private final Map<String, Node> users = new TreeMap<>();

  private boolean relative;
  private boolean ordered;

  RankScan(RankFile rank, Groups groups, Losses losses) {
    this.rank = rank;
    this.groups = groups;
    this.losses = losses;
  }

  RankFile rank() {
    return rank;
  }

  /** Whether the nodes stand in the order of issue. */
  boolean ordered() {
    return ordered;
  }

  /** Whether the same file would mean something else on another rank. */
  boolean relative() {
    return relative;
  }

  /**
   * Checks, when all groups are known, that the rank is in those that it names. Ranks of equal
   * files share a graph, so that this would be seen for one of them only.
   */
  void checkGroups() {
    users.values().forEach(node -> groups.of(rank.rank(), rank.file(), node));
  }

  void head(GlobalMetadata metadata) {
    if (!metadata.getUnknownFields().asMap().isEmpty()) {
      throw new InputException(
          rank.file() + ", byte 0",
          "the first message is not the metadata",
          "Begin with a GlobalMetadata message; without one, the first node is lost.");
    }
    metadata.getAttrList().forEach(this::see);
  }

  void node(Node node) {
    NodeReading reading = new NodeReading(rank.file(), node);
    relative |= reading.isMessage() || Groups.isRelative(node);
    String lacks = reading.lacks();
    if (lacks.isEmpty() && node.getType() == NodeType.COMM_COLL_NODE) {
      users.putIfAbsent(reading.text("pg_name", ""), node);
    } else if (!lacks.isEmpty()) {
      losses.passedOn(node.getName(), node.getTypeValue(), lacks);
    }
    if (node.getType() == NodeType.METADATA_NODE && ProcessGroups.in(node)) {
      addGroups(node);
    }
    losses.unknownFields(unknown(node) || unknown(node.getInputs()) || unknown(node.getOutputs()));
    for (int i = 0; i < node.getAttrCount(); i++) {
      see(node.getAttr(i));
    }
  }

  private void see(AttributeProto attribute) {
    losses.docString(!attribute.getDocString().isEmpty());
    losses.unknownFields(unknown(attribute));
  }

  private static boolean unknown(Message message) {
    return !message.getUnknownFields().asMap().isEmpty();
  }

  private void addGroups(Node node) {
    try {
      for (Map.Entry<String, List<Integer>> group : ProcessGroups.of(node).entrySet()) {
        if (groups.add(group.getKey(), group.getValue())) {
          losses.otherGroup(group.getKey(), rank.rank());
        }
      }
    } catch (IOException e) {
      throw At.refuse(
          rank.file(), node, String.valueOf(e.getMessage()), "Write its process groups anew.");
    }
  }

  void end(Skeleton skeleton) {
    if (skeleton.nodes() == 0) {
      throw new InputException(
          rank.file().toString(), "the file has no node", "A rank must do something.");
    }
    int twin = skeleton.index();
    if (twin != Skeleton.NONE) {
      throw refuse(skeleton, twin, "is there twice", "Number the nodes anew.");
    }
    losses.dangling(skeleton.dangling());
    ordered = skeleton.ordered();
    if (!ordered) {
      checkThatAllRun(skeleton);
    }
  }

  private void checkThatAllRun(Skeleton skeleton) {
    boolean[] runs = new boolean[skeleton.nodes()];
    int[] order = skeleton.order();
    for (int node : order) {
      runs[node] = true;
    }
    for (int node = 0; node < runs.length; node++) {
      if (!runs[node]) {
        throw refuse(
            skeleton,
            node,
            "waits for itself through others; "
                + (runs.length - order.length)
                + " nodes would never run",
            "Break the cycle of dependencies.");
      }
    }
  }

  private InputException refuse(Skeleton skeleton, int node, String problem, String remedy) {
    String place = rank.file() + ", node " + Long.toUnsignedString(skeleton.id(node));
    return new InputException(place, problem, remedy);
  }
}
