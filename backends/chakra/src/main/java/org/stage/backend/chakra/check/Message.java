package org.stage.backend.chakra.check;

import java.util.Locale;

/**
 * What makes a send and a receive meet.
 *
 * @param source rank that sends
 * @param destination rank that receives
 * @param tag tag
 * @param bytes size, which counts in the match
 */
record Message(int source, int destination, int tag, long bytes) {
  static Message of(RankTrace rank, int node) {
    int tag = rank.structure.codes[node];
    long bytes = rank.structure.bytes[node];
    return rank.structure.isSend(node)
        ? new Message(rank.rank, rank.partners[node], tag, bytes)
        : new Message(rank.partners[node], rank.rank, tag, bytes);
  }

  /** What is left when sizes are not compared. */
  Message withoutSize() {
    return new Message(source, destination, tag, 0);
  }

  String text() {
    return String.format(
        Locale.ROOT,
        "%d bytes from rank %d to rank %d with tag %d",
        bytes,
        source,
        destination,
        tag);
  }
}
