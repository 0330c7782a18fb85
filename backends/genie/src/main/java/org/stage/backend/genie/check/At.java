package org.stage.backend.genie.check;

import java.nio.file.Path;
import org.stage.backend.chakra.format.proto.Node;

/** Where a node stands, for messages. */
final class At {
  private At() {}

  static String node(Path file, Node node) {
    return file + ", node " + Long.toUnsignedString(node.getId()) + " " + node.getName();
  }
}
