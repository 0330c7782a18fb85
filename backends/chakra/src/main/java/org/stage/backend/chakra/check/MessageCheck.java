package org.stage.backend.chakra.check;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks that sends and receives match: ends, tag and size. */
final class MessageCheck {
  private final SetContext set;
  private final List<RankTrace> ranks;

  /** Sends less receives; what is even is taken out. */
  private final Map<Message, Integer> balance = new LinkedHashMap<>();

  MessageCheck(SetContext set, List<RankTrace> ranks) {
    this.set = set;
    this.ranks = ranks;
  }

  void run() {
    for (RankTrace rank : ranks) {
      Set<Long> tags = new HashSet<>();
      int again = -1;
      for (int node = 0; node < rank.structure.nodes(); node++) {
        if (!isMessage(rank, node) || !set.has(rank.partners[node])) {
          continue;
        }
        if (rank.structure.isSend(node)) {
          balance.merge(Message.of(rank, node), 1, MessageCheck::sum);
          long key = ((long) rank.partners[node] << 32) | rank.structure.codes[node];
          again = tags.add(key) || again >= 0 ? again : node;
        } else {
          balance.merge(Message.of(rank, node), -1, MessageCheck::sum);
        }
      }
      if (again >= 0) {
        reportTag(rank, again);
      }
    }
    if (!balance.isEmpty()) {
      reportUnmatched();
    }
  }

  private static boolean isMessage(RankTrace rank, int node) {
    return rank.structure.isSend(node) || rank.structure.isRecv(node);
  }

  /** Null, which removes the entry, where the two are even. */
  @SuppressWarnings("NullAway") // a merge function may return null to remove the entry
  private static Integer sum(Integer a, Integer b) {
    return a + b == 0 ? null : a + b;
  }

  private void reportTag(RankTrace rank, int node) {
    set.faults()
        .warning(
            rank.at(node),
            "uses the tag "
                + rank.structure.codes[node]
                + " to rank "
                + rank.partners[node]
                + " again",
            "Messages of one tag may meet in another order than meant: give each its own.");
  }

  private void reportUnmatched() {
    Map<Message, Long> sends = new HashMap<>();
    Map<Message, Long> receives = new HashMap<>();
    balance.forEach(
        (message, left) ->
            (left > 0 ? sends : receives).put(message.withoutSize(), message.bytes()));
    for (RankTrace rank : ranks) {
      for (int node = 0; node < rank.structure.nodes(); node++) {
        if (!isMessage(rank, node)) {
          continue;
        }
        boolean send = rank.structure.isSend(node);
        Message message = Message.of(rank, node);
        int left = balance.getOrDefault(message, 0);
        if (send ? left > 0 : left < 0) {
          balance.merge(message, send ? -1 : 1, MessageCheck::sum);
          Long other = (send ? receives : sends).get(message.withoutSize());
          reportUnmatched(
              rank.at(node),
              send,
              message,
              other == null ? "" : " (there is one of " + other + " bytes)");
        }
      }
    }
  }

  private void reportUnmatched(String source, boolean send, Message message, String other) {
    set.faults()
        .error(
            source,
            (send ? "sends " : "waits for ")
                + message.text()
                + ", but no "
                + (send ? "receive" : "send")
                + " matches"
                + other,
            "Tag, size and both ends must be the same.");
  }
}
