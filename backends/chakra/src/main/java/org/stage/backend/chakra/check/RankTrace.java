package org.stage.backend.chakra.check;

import java.nio.file.Path;
import java.util.Map;

/** What one rank does, and with whom. */
final class RankTrace {
  final int rank;
  final Structure structure;

  /** Communicator of a collective, peer of a message, by node; 0 for other nodes. */
  final int[] partners;

  private final Path file;
  private final Names names;

  RankTrace(int rank, Path file, Structure structure, int[] partners, Names names) {
    this.rank = rank;
    this.file = file;
    this.structure = structure;
    this.partners = partners;
    this.names = names;
  }

  /** The same with an equal structure from {@code known}, to which a new one is added. */
  RankTrace sharing(Map<Structure, Structure> known) {
    Structure shared = known.putIfAbsent(structure, structure);
    return shared == null ? this : new RankTrace(rank, file, shared, partners, names);
  }

  Path file() {
    return file;
  }

  /** Where a node stands, for messages. */
  String at(int node) {
    return At.node(file, structure.ids[node], names.of(file, structure.ids[node]));
  }

  /** Rank, id and name of a node, for the inside of messages. */
  String text(int node) {
    long id = structure.ids[node];
    return "rank " + rank + "'s node " + Long.toUnsignedString(id) + " " + names.of(file, id);
  }
}
