package org.stage.backend.genie.check;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.backend.chakra.format.proto.Node;

/** Collects what is wrong, up to a number that somebody may still read. */
final class Faults {
  private static final int LIMIT = 1_000;

  private final List<Diagnostic> found = new ArrayList<>();
  private long dropped;

  void error(String source, String message, String remedy) {
    add(Diagnostic.error(source, message, remedy));
  }

  void warning(String source, String message, String remedy) {
    add(Diagnostic.warning(source, message, remedy));
  }

  List<Diagnostic> all() {
    List<Diagnostic> all = new ArrayList<>(found);
    if (dropped > 0) {
      all.add(
          Diagnostic.error(
              "", dropped + " more faults were found", "Mend the first ones, try again."));
    }
    return all;
  }

  /** Where a node stands, for messages. */
  static String at(Path file, Node node) {
    return file + ", node " + Long.toUnsignedString(node.getId()) + " " + node.getName();
  }

  private void add(Diagnostic diagnostic) {
    if (found.size() < LIMIT) {
      found.add(diagnostic);
    } else {
      dropped++;
    }
  }
}
