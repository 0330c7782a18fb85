package org.stage.backend.chakra.check;

import java.nio.file.Path;

/** Where a node stands, for messages. */
final class At {
  private At() {}

  static String node(Path file, long id, String name) {
    return file + ", node " + Long.toUnsignedString(id) + (name.isEmpty() ? "" : " " + name);
  }
}
