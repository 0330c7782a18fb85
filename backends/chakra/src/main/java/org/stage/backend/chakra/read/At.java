package org.stage.backend.chakra.read;

import java.nio.file.Path;
import org.stage.api.diagnostic.InputException;
import org.stage.backend.chakra.format.TraceFormatException;
import org.stage.backend.chakra.format.proto.Node;

/** Where in a trace something is wrong, as refusals say it. */
final class At {
  /** Names in damaged files may be megabytes. */
  private static final int SHOWN = 80;

  private At() {}

  static InputException refuse(Path file, Node node, String problem, String remedy) {
    String name = shown(node.getName());
    String place = file + ", node " + Long.toUnsignedString(node.getId());
    return new InputException(name.isEmpty() ? place : place + " " + name, problem, remedy);
  }

  static InputException refuse(TraceFormatException e) {
    return new InputException(
        e.file() + ", byte " + e.offset(), shown(e.problem(), 400), "Write the file anew.");
  }

  /** The beginning of a text from a file. */
  static String shown(String text) {
    return shown(text, SHOWN);
  }

  private static String shown(String text, int length) {
    String plain = text.replaceAll("\\p{Cntrl}", " ");
    return plain.length() <= length ? plain : plain.substring(0, length) + "...";
  }
}
