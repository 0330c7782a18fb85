package org.stage.backend.chakra.check;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.stage.backend.chakra.format.TraceReader;
import org.stage.backend.chakra.format.proto.Node;

/** What one rank does, and with whom. */
final class RankTrace {
  final int rank;
  final Structure structure;

  /** Communicator of a collective, peer of a message, by node; 0 for other nodes. */
  final int[] partners;

  private final Path file;

  RankTrace(int rank, Path file, Structure structure, int[] partners) {
    this.rank = rank;
    this.file = file;
    this.structure = structure;
    this.partners = partners;
  }

  /** The same with an equal structure from {@code known}, to which a new one is added. */
  RankTrace sharing(Map<Structure, Structure> known) {
    Structure shared = known.putIfAbsent(structure, structure);
    return shared == null ? this : new RankTrace(rank, file, shared, partners);
  }

  Path file() {
    return file;
  }

  /** Where a node stands, for messages. */
  String at(int node) {
    return Faults.at(file, structure.ids[node], name(file, structure.ids[node]));
  }

  /** Rank, id and name of a node, for the inside of messages. */
  String text(int node) {
    long id = structure.ids[node];
    return "rank " + rank + "'s node " + Long.toUnsignedString(id) + " " + name(file, id);
  }

  /** The name of a node, read again for a message: nobody keeps millions of names. */
  static String name(Path file, long id) {
    try (TraceReader reader = new TraceReader(file)) {
      for (Node next = reader.next(); next != null; next = reader.next()) {
        if (next.getId() == id) {
          return next.getName();
        }
      }
    } catch (IOException e) {
      return "";
    }
    return "";
  }
}
