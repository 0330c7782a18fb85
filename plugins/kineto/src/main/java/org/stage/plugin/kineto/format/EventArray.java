package org.stage.plugin.kineto.format;

import java.io.IOException;
import org.stage.plugin.kineto.format.Cursor.Outcome;

/**
 * Reads the events of a document. Those that are broken are mended or dropped, and reading goes on
 * at the next.
 */
final class EventArray {
  /** How it goes on behind a broken event. */
  private enum Recovery {
    /** With an event. */
    EVENT,
    /** With what follows the events, if anything. */
    CLOSED,
    /** Not at all: the file ends. */
    CUT
  }

  private final Cursor cursor;
  private final Window window;
  private final Tokens tokens;
  private final Event event = new Event();
  private final EventReader reader;
  private final Candidates candidates;
  private final DocumentReader.Sink sink;
  private final Condition condition;
  private final Runnable element;
  private final Runnable noElement = this::noEvent;
  private boolean finished;

  EventArray(Cursor cursor, Candidates candidates, DocumentReader.Sink sink, Condition condition) {
    this.cursor = cursor;
    this.window = cursor.window;
    this.tokens = cursor.tokens;
    this.reader = new EventReader(tokens, event);
    this.element = reader::read;
    this.candidates = candidates;
    this.sink = sink;
    this.condition = condition;
  }

  /** Whether the file ended among the events, and that has been judged. */
  boolean isFinished() {
    return finished;
  }

  /** Reads events up to the closing bracket; false if the file ends before. */
  boolean read(boolean bare) throws IOException, TraceFormatException {
    while (true) {
      Outcome outcome = cursor.gap();
      if (outcome == Outcome.END) {
        return end(!bare || window.isCut());
      }
      int b = window.bytes[window.keep];
      if (b == ']') {
        window.keep++;
        return true;
      }
      outcome = cursor.attempt(b == '{' ? element : noElement);
      if (outcome == Outcome.DONE) {
        window.keep = tokens.at;
        accept(b);
        continue;
      }
      Recovery recovery = goOn(outcome);
      if (recovery == Recovery.CUT) {
        return end(true);
      }
      if (recovery == Recovery.CLOSED) {
        return (!bare && candidates.topKey()) || end(!window.endsWith(bare ? ']' : '}'));
      }
    }
  }

  private boolean end(boolean truncated) {
    finished = true;
    if (truncated) {
      condition.truncated(window.offset(window.limit));
    }
    return false;
  }

  private void accept(int first) {
    if (first == '{' && event.has(Key.PH)) {
      condition.events++;
      sink.event(event);
    }
  }

  /** A number or null among the events means nothing; anything else is what damage left. */
  private void noEvent() {
    int b = tokens.peek();
    if (b == '"' || b == '}' || b == ':') {
      throw Signal.BROKEN;
    }
    tokens.skipValue();
    int next = tokens.peek();
    if (next != ',' && next != ']') {
      throw Signal.BROKEN;
    }
  }

  /** Finds the next event behind a broken one. */
  private Recovery goOn(Outcome first) throws IOException, TraceFormatException {
    Outcome outcome = first;
    while (true) {
      Damage damage = new Damage(window.offset(window.keep), window.line(window.keep));
      int next = candidates.event(1);
      if (next < 0) {
        return last(outcome, damage);
      }
      condition.damaged(damage);
      if (mend(next)) {
        return Recovery.EVENT;
      }
      outcome = follow(next - window.keep);
      if (outcome == Outcome.DONE) {
        return Recovery.EVENT;
      }
    }
  }

  /** Goes to the next event that is whole, or to one that is broken too. */
  private Outcome follow(int distance) throws IOException {
    int skip = distance;
    while (true) {
      window.keep += skip;
      Outcome outcome = cursor.attempt(element);
      if (outcome != Outcome.DONE || event.has(Key.PH)) {
        return outcome;
      }
      int next = candidates.event(1);
      if (next < 0) {
        return Outcome.DONE;
      }
      skip = next - window.keep;
    }
  }

  /** The last event is broken, or the file ends in it. */
  private Recovery last(Outcome outcome, Damage damage) throws IOException, TraceFormatException {
    if (!window.isEnded()) {
      condition.damaged(damage);
      window.keep++;
      return Recovery.CLOSED;
    }
    if (outcome == Outcome.END && (window.isCut() || !mayBeDamage())) {
      return Recovery.CUT;
    }
    condition.damaged(damage);
    return mend(window.limit) ? Recovery.EVENT : Recovery.CLOSED;
  }

  /** Whether a key of the document follows: then a string lost its quotation mark. */
  private boolean mayBeDamage() throws IOException {
    int before = window.keep;
    // nothing is left to be read, so that nothing moves
    boolean found = candidates.topKey();
    window.keep = before;
    return found;
  }

  /** Tries to read what stands up to {@code next} as one event with quotation marks too many. */
  private boolean mend(int next) {
    if (window.bytes[window.keep] != '{') {
      return false;
    }
    cursor.align();
    tokens.limit = Math.min(window.limit, next + 1);
    tokens.mending = true;
    try {
      reader.read();
      int b = tokens.peek();
      while (b == ',' && tokens.at < next) {
        tokens.at++;
        b = tokens.peek();
      }
      if (!event.has(Key.PH) || (tokens.at != next && b != ']')) {
        return false;
      }
      window.keep = tokens.at;
      condition.mended();
      accept('{');
      return true;
    } catch (Signal signal) {
      return false;
    } finally {
      tokens.mending = false;
    }
  }
}
