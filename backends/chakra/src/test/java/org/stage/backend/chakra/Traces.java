package org.stage.backend.chakra;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.stage.backend.chakra.format.Attributes;
import org.stage.backend.chakra.format.TraceReader;
import org.stage.backend.chakra.format.proto.AttributeProto;
import org.stage.backend.chakra.format.proto.Node;

/** Reads what the exporter wrote. */
final class Traces {
  private Traces() {}

  static List<Node> nodes(Path directory, int rank) throws IOException {
    List<Node> nodes = new ArrayList<>();
    try (TraceReader reader = new TraceReader(directory.resolve("w." + rank + ".et"))) {
      for (Node node = reader.next(); node != null; node = reader.next()) {
        nodes.add(node);
      }
    }
    return nodes;
  }

  static Node node(Path directory, int rank, String name) throws IOException {
    return nodes(directory, rank).stream()
        .filter(node -> node.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  static long integer(Node node, String attribute) {
    return Attributes.integer(attribute(node, attribute)).orElseThrow();
  }

  static AttributeProto attribute(Node node, String name) {
    AttributeProto found = Attributes.find(node, name);
    if (found == null) {
      throw new AssertionError(node.getName() + " has no " + name);
    }
    return found;
  }

  /** The content of every file by name. */
  static Map<String, byte[]> files(Path directory) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> list = Files.list(directory)) {
      for (Path file : (Iterable<Path>) list::iterator) {
        files.put(String.valueOf(file.getFileName()), Files.readAllBytes(file));
      }
    }
    return files;
  }
}
