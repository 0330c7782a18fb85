package org.stage.backend.chakra.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.stage.backend.chakra.check.Communicators.Communicator;
import org.stage.backend.chakra.format.proto.CollectiveCommType;

/** Checks that the members of each communicator issue the same collectives in the same order. */
final class CollectiveCheck {
  private final SetContext set;
  private final List<RankTrace> ranks;

  /** By communicator: the first member met, and the nodes of its collectives. */
  private final Map<Integer, Issued> references = new HashMap<>();

  private final Map<Integer, Integer> users = new HashMap<>();

  private record Issued(RankTrace rank, List<Integer> nodes) {}

  CollectiveCheck(SetContext set, List<RankTrace> ranks) {
    this.set = set;
    this.ranks = ranks;
  }

  void run() {
    for (RankTrace rank : ranks) {
      Map<Integer, List<Integer>> issued = new HashMap<>();
      for (int node = 0; node < rank.structure.nodes(); node++) {
        if (rank.structure.isCollective(node)) {
          issued.computeIfAbsent(rank.partners[node], key -> new ArrayList<>()).add(node);
        }
      }
      issued.forEach((communicator, nodes) -> compare(communicator, new Issued(rank, nodes)));
    }
    users.forEach(this::checkUsers);
  }

  private void compare(int communicator, Issued issued) {
    users.merge(communicator, 1, Integer::sum);
    Issued reference = references.putIfAbsent(communicator, issued);
    if (reference == null) {
      return;
    }
    String group = set.communicators().used().get(communicator).name();
    int common = Math.min(reference.nodes().size(), issued.nodes().size());
    for (int i = 0; i < common; i++) {
      String here = text(issued, i);
      String there = text(reference, i);
      if (!here.equals(there)) {
        fault(
            issued.rank().at(issued.nodes().get(i)),
            "is "
                + here
                + " as number "
                + (i + 1)
                + " on "
                + group
                + ", where "
                + reference.rank().text(reference.nodes().get(i))
                + " is "
                + there);
        return;
      }
    }
    if (reference.nodes().size() != issued.nodes().size()) {
      fault(
          issued.rank().file().toString(),
          "issues "
              + issued.nodes().size()
              + " collectives on "
              + group
              + ", but rank "
              + reference.rank().rank
              + " issues "
              + reference.nodes().size());
    }
  }

  private void checkUsers(int communicator, int count) {
    Communicator group = set.communicators().used().get(communicator);
    int[] present = IntStream.of(group.members()).filter(set::has).toArray();
    Issued reference = references.get(communicator);
    if (reference == null || count == present.length) {
      return;
    }
    int silent =
        IntStream.of(present)
            .filter(member -> !uses(member, communicator))
            .findFirst()
            .orElse(reference.rank().rank);
    fault(
        reference.rank().at(reference.nodes().get(0)),
        "waits on " + group.name() + " for members that never use it, such as rank " + silent);
  }

  private boolean uses(int member, int communicator) {
    return ranks.stream()
        .filter(rank -> rank.rank == member)
        .anyMatch(
            rank ->
                IntStream.range(0, rank.structure.nodes())
                    .anyMatch(
                        node ->
                            rank.structure.isCollective(node)
                                && rank.partners[node] == communicator));
  }

  private static String text(Issued issued, int index) {
    int node = issued.nodes().get(index);
    Structure structure = issued.rank().structure;
    return CollectiveCommType.forNumber(structure.codes[node])
        + " of "
        + structure.bytes[node]
        + " bytes";
  }

  private void fault(String source, String problem) {
    set.faults()
        .error(source, problem, "All members must issue the same collectives in the same order.");
  }
}
