package org.stage.plugin.kineto.format;

import java.util.HashMap;
import java.util.Map;
import org.stage.plugin.kineto.format.Communication.ProcessGroup;

/** What events say of communication, as rows of a {@link Trace}. */
final class Communications {
  private static final long MOST = 1L << 58;
  private static final int MOST_RANKS = 1 << 24;
  private static final String DEFAULT_GROUP = "default_pg";

  private final Trace trace;
  private final Map<Communication, Integer> known = new HashMap<>();

  Communications(Trace trace) {
    this.trace = trace;
  }

  /** The row of what {@code event} says, or -1 if it says nothing. */
  int row(Event event) {
    if (!event.hasArgs
        || !(event.has(Key.COLLECTIVE)
            || event.has(Key.GROUP_SIZE)
            || event.has(Key.IN_ELEMENTS)
            || event.has(Key.OLD_IN_ELEMENTS))) {
      return -1;
    }
    Communication what =
        new Communication(
            text(event, Key.COLLECTIVE),
            event.integer(pick(event, Key.IN_ELEMENTS, Key.OLD_IN_ELEMENTS), MOST, -1),
            event.integer(pick(event, Key.OUT_ELEMENTS, Key.OLD_OUT_ELEMENTS), MOST, -1),
            text(event, Key.TYPE),
            new ProcessGroup(
                text(event, pick(event, Key.GROUP_NAME, Key.OLD_GROUP_NAME)),
                text(event, Key.GROUP_DESCRIPTION),
                (int) event.integer(Key.GROUP_SIZE, MOST_RANKS, 0),
                text(event, Key.GROUP_RANKS)));
    if (what.group().description().equals(DEFAULT_GROUP) && event.has(Key.RANK)) {
      trace.namedRank = (int) event.integer(Key.RANK, MOST_RANKS, trace.namedRank);
    }
    Integer number = known.get(what);
    if (number == null) {
      number = trace.communications.size();
      known.put(what, number);
      trace.communications.add(what);
    }
    trace.communicationKind.add(number);
    trace.communicationSeq.add(event.integer(Key.SEQ, Long.MAX_VALUE, -1));
    trace.communicator.add(event.bits(Key.COMMUNICATOR));
    return trace.communicationKind.size() - 1;
  }

  private static Key pick(Event event, Key now, Key old) {
    return event.has(now) ? now : old;
  }

  private static String text(Event event, Key key) {
    int at = key.number();
    return event.has(key) ? Text.decode(event.bytes, event.starts[at], event.ends[at], false) : "";
  }
}
