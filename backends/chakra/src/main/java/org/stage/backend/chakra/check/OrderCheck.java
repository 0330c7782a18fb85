package org.stage.backend.chakra.check;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Checks the order of communication: that dependencies fix it on each rank, and that the orders of
 * all ranks agree.
 */
final class OrderCheck {
  private final SetContext set;
  private final List<RankTrace> ranks;

  OrderCheck(SetContext set, List<RankTrace> ranks) {
    this.set = set;
    this.ranks = ranks;
  }

  void run() {
    checkFixed();
    checkAgreement();
  }

  /** What timing decides may go wrong on some network: worth a warning, as it may also go well. */
  private void checkFixed() {
    IdentityHashMap<Structure, int[]> loose = new IdentityHashMap<>();
    long count = 0;
    String example = "";
    for (RankTrace rank : ranks) {
      int[] pairs = loose.computeIfAbsent(rank.structure, OrderCheck::loosePairs);
      if (count == 0 && pairs.length > 0) {
        example = rank.text(pairs[0]) + " and " + rank.text(pairs[1]);
      }
      count += pairs.length / 2;
    }
    if (count > 0) {
      set.faults()
          .warning(
              String.valueOf(ranks.get(0).file().getParent()),
              "the order of "
                  + count
                  + " pairs of communications is left to timing, such as "
                  + example,
              "The simulator has one communication slot per rank and may hang: add dependencies.");
    }
  }

  /** Consecutive collectives or sends without a path of dependencies between them. */
  private static int[] loosePairs(Structure structure) {
    int[] ordered = ordered(structure);
    int[] seenFor = new int[structure.nodes()];
    IntStream.Builder loose = IntStream.builder();
    for (int i = 1; i < ordered.length; i++) {
      if (!reaches(structure, ordered[i], ordered[i - 1], seenFor)) {
        loose.add(ordered[i - 1]).add(ordered[i]);
      }
    }
    return loose.build().toArray();
  }

  private static boolean reaches(Structure structure, int from, int to, int[] seenFor) {
    Deque<Integer> open = new ArrayDeque<>(List.of(from));
    while (!open.isEmpty()) {
      int node = open.pop();
      for (int i = structure.depStart[node]; i < structure.depStart[node + 1]; i++) {
        int dep = structure.deps[i];
        if (dep == to) {
          return true;
        }
        if (dep > to && seenFor[dep] != from) {
          seenFor[dep] = from;
          open.push(dep);
        }
      }
    }
    return false;
  }

  /** Goes through all orders at once; a collective is passed when all members stand before it. */
  private void checkAgreement() {
    int[][] orders = ranks.stream().map(rank -> ordered(rank.structure)).toArray(int[][]::new);
    int[] next = new int[orders.length];
    int[] arrived = new int[set.communicators().used().size()];
    Deque<Integer> moving = new ArrayDeque<>();
    IntStream.range(0, orders.length).forEach(moving::add);
    while (!moving.isEmpty()) {
      int rank = moving.pop();
      if (next[rank] == orders[rank].length) {
        continue;
      }
      RankTrace trace = ranks.get(rank);
      int node = orders[rank][next[rank]];
      if (trace.structure.isSend(node)) {
        next[rank]++;
        moving.push(rank);
        continue;
      }
      int communicator = trace.partners[node];
      int[] members = set.communicators().used().get(communicator).members();
      if (++arrived[communicator] == members.length) {
        arrived[communicator] = 0;
        for (int member : members) {
          next[member]++;
          moving.push(member);
        }
      }
    }
    reportDisagreement(orders, next);
  }

  private void reportDisagreement(int[][] orders, int[] next) {
    int[] waiting =
        IntStream.range(0, orders.length)
            .map(
                rank ->
                    next[rank] == orders[rank].length
                        ? Standstill.NOT_WAITING
                        : orders[rank][next[rank]])
            .toArray();
    if (Arrays.stream(waiting).anyMatch(node -> node != Standstill.NOT_WAITING)) {
      Standstill standstill = new Standstill(set, ranks, waiting);
      set.faults()
          .error(
              standstill.source(),
              "the orders of ranks contradict one another: " + standstill.text(),
              "All ranks must issue the collectives that they share in one order.");
    }
  }

  private static int[] ordered(Structure structure) {
    return IntStream.range(0, structure.nodes()).filter(structure::isOrdered).toArray();
  }
}
