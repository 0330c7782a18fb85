package org.stage.backend.chakra.check;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.stage.backend.chakra.check.Communicators.Communicator;

/** Says who waits for whom when no rank can go on. */
final class Standstill {
  /** The rank waits for nothing. */
  static final int NOT_WAITING = -1;

  private static final int SHOWN = 8;

  private final SetContext set;
  private final List<RankTrace> ranks;
  private final int[] waiting;

  /**
   * A standstill.
   *
   * @param waiting the node in which each rank waits
   */
  Standstill(SetContext set, List<RankTrace> ranks, int[] waiting) {
    this.set = set;
    this.ranks = ranks;
    this.waiting = waiting;
  }

  /** Where the first rank of the circle waits. */
  String source() {
    int first = circle().get(0);
    return ranks.get(first).at(waiting[first]);
  }

  /** Who waits in what for whom. */
  String text() {
    List<String> parts = new ArrayList<>();
    for (int rank : circle().stream().limit(SHOWN).toList()) {
      int next = missing(rank);
      parts.add(
          ranks.get(rank).text(waiting[rank])
              + where(rank)
              + " waits for rank "
              + next
              + (waiting[next] == NOT_WAITING ? ", which does not come" : ""));
    }
    return String.join("; ", parts);
  }

  /** Ranks that wait for one another, or that wait in a row for one that does not come. */
  private List<Integer> circle() {
    int start = IntStream.range(0, waiting.length).filter(this::waits).findFirst().orElseThrow();
    Set<Integer> seen = new LinkedHashSet<>();
    int rank = start;
    while (waits(rank) && seen.add(rank)) {
      rank = missing(rank);
    }
    int closes = rank;
    List<Integer> circle = seen.stream().dropWhile(each -> each != closes).toList();
    return circle.isEmpty() ? new ArrayList<>(seen) : circle;
  }

  private boolean waits(int rank) {
    return waiting[rank] != NOT_WAITING;
  }

  /** A rank whose arrival {@code rank} waits for. */
  private int missing(int rank) {
    RankTrace trace = ranks.get(rank);
    int partner = trace.partners[waiting[rank]];
    if (!trace.structure.isCollective(waiting[rank])) {
      return partner;
    }
    return IntStream.of(communicator(partner).members())
        .filter(member -> !isAt(member, partner))
        .findFirst()
        .orElse(rank);
  }

  private boolean isAt(int rank, int communicator) {
    RankTrace trace = ranks.get(rank);
    return waits(rank)
        && trace.structure.isCollective(waiting[rank])
        && trace.partners[waiting[rank]] == communicator;
  }

  private String where(int rank) {
    RankTrace trace = ranks.get(rank);
    return trace.structure.isCollective(waiting[rank])
        ? " on " + communicator(trace.partners[waiting[rank]]).name()
        : "";
  }

  private Communicator communicator(int index) {
    return set.communicators().used().get(index);
  }
}
