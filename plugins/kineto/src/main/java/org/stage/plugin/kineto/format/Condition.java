package org.stage.plugin.kineto.format;

import java.util.ArrayList;
import java.util.List;

/** In what condition a file was. */
public final class Condition {
  private static final int SHOWN = 10;
  private static final long MOST = 1_000;
  private static final long TOLERATED = 10;

  private final List<Damage> damages = new ArrayList<>();
  long events;
  private long damaged;
  private long mended;
  private long truncatedAt = -1;
  private long trailingAt = -1;
  private long brokenAt = -1;
  boolean eventsSeen;
  boolean cut;

  void damaged(Damage damage) throws TraceFormatException {
    damaged++;
    if (damages.size() < SHOWN) {
      damages.add(damage);
    }
    if (damaged > MOST) {
      throw tooMany();
    }
  }

  void mended() {
    mended++;
  }

  void truncated(long offset) {
    truncatedAt = offset;
  }

  void trailing(long offset) {
    trailingAt = offset;
  }

  /** Outside of the events; the first such place counts. */
  void broken(long offset) {
    brokenAt = brokenAt < 0 ? offset : brokenAt;
  }

  /** To be called in the end: a file that is broken all over says nothing. */
  void check() throws TraceFormatException {
    if (damaged > TOLERATED && damaged * 100 > events) {
      throw tooMany();
    }
  }

  private TraceFormatException tooMany() {
    Damage first = damages.get(0);
    return new TraceFormatException(
        "is broken in "
            + damaged
            + " of "
            + (events + damaged)
            + " events that were read, first at byte "
            + first.offset()
            + ", line "
            + first.line(),
        "Record or copy the profile again.");
  }

  /** Complete events that were read, of all sorts. */
  public long events() {
    return events;
  }

  /** Broken events, lost or mended. */
  public long damagedEvents() {
    return damaged;
  }

  /** Broken events that could be mended: a quotation mark in a name, say. */
  public long mendedEvents() {
    return mended;
  }

  /** The first places at which events are broken. */
  public List<Damage> damages() {
    return List.copyOf(damages);
  }

  /** Whether the file ends too early. */
  public boolean isTruncated() {
    return truncatedAt >= 0 || cut;
  }

  /** Where the uncompressed file ends too early, in bytes; -1 if it does not. */
  public long truncatedAt() {
    return truncatedAt;
  }

  /** Where something follows the end of the document, in bytes; -1 if nothing does. */
  public long trailingAt() {
    return trailingAt;
  }

  /** Where the file is broken outside of its events, in bytes; -1 if nowhere. */
  public long brokenAt() {
    return brokenAt;
  }

  /** Whether the compressed stream is broken or ends too early. */
  public boolean isCut() {
    return cut;
  }
}
