package org.stage.backend.genie.check;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.stage.api.diagnostic.Faults;
import org.stage.backend.chakra.format.Attributes;
import org.stage.backend.chakra.format.TraceFormatException;
import org.stage.backend.chakra.format.TraceReader;
import org.stage.backend.chakra.format.proto.AttributeProto;
import org.stage.backend.chakra.format.proto.Node;
import org.stage.backend.chakra.format.proto.NodeType;

/** Reads the trace of one rank; for one use. */
final class RankCheck {
  private final Path file;
  private final int rank;
  private final Map<String, int[]> groups;
  private final Faults faults;
  private final NodeCheck nodeCheck;
  private final Set<Long> ids = new HashSet<>();
  private final Map<Long, String> awaited = new HashMap<>();
  private final Set<String> used = new HashSet<>();
  private long longestMessage;

  RankCheck(Path file, int rank, Map<String, int[]> groups, Faults faults) {
    this.file = file;
    this.rank = rank;
    this.groups = groups;
    this.faults = faults;
    this.nodeCheck = new NodeCheck(faults);
  }

  void run() throws IOException {
    try (TraceReader in = new TraceReader(file)) {
      for (Node node = in.next(); node != null; node = in.next()) {
        add(node);
      }
    } catch (TraceFormatException e) {
      faults.error(file + ", byte " + e.offset(), e.problem(), "Write the trace again.");
    }
    awaited.forEach(
        (id, source) -> {
          if (!ids.contains(id)) {
            faults.error(
                source, "it waits for node " + id + ", which is not there", "Genie hangs on it.");
          }
        });
  }

  /** How many nodes there are. */
  long nodes() {
    return ids.size();
  }

  /** How many communicators the rank is in. */
  int groups() {
    return used.size();
  }

  /** The largest message, bytes. */
  long longestMessage() {
    return longestMessage;
  }

  private void add(Node node) {
    String source = At.node(file, node);
    if (!ids.add(node.getId())) {
      faults.error(source, "its id is there twice", "The first of them would be lost.");
    }
    nodeCheck.check(source, node);
    node.getDataDepsList().forEach(id -> awaited.putIfAbsent(id, source));
    if (node.getType() == NodeType.COMM_COLL_NODE) {
      addCollective(source, node);
    } else if (node.getType() == NodeType.COMM_SEND_NODE) {
      longestMessage = Math.max(longestMessage, NodeCheck.integer(node, "comm_size"));
    }
  }

  private void addCollective(String source, Node node) {
    AttributeProto attribute = Attributes.find(node, "pg_name");
    String name = attribute == null ? "" : attribute.getStringVal();
    if (name.isEmpty() || name.equals("0")) {
      return;
    }
    int[] members = groups.get(name);
    if (members == null) {
      faults.error(source, "communicator " + name + " is not known", "Add it to comm_group.json.");
    } else if (Arrays.stream(members).noneMatch(member -> member == rank)) {
      faults.error(
          source, "rank " + rank + " is not in communicator " + name, "Genie skips that one.");
    }
    used.add(name);
  }
}
