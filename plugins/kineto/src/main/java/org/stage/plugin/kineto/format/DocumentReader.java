package org.stage.plugin.kineto.format;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * Reads a document: an object with events and metadata in any order, or a bare array of events.
 * Events that are broken are mended or dropped, and reading goes on at the next.
 */
final class DocumentReader {
  private static final String EVENTS = "traceEvents";
  private static final Set<String> KNOWN =
      Set.of(
          "distributedInfo",
          "deviceProperties",
          "computeProperties",
          "baseTimeNanoseconds",
          "record_shapes");

  /** Takes what is found. */
  interface Sink {
    /** Takes an event, which is used again for the next. */
    void event(Event event);

    /** Takes a value with a known key. */
    void metadata(String key, Object value);
  }

  private enum Outcome {
    DONE,
    BROKEN,
    END
  }

  /** How it goes on behind a broken event. */
  private enum Recovery {
    /** With an event. */
    EVENT,
    /** With what follows the events, if anything. */
    CLOSED,
    /** Not at all: the file ends. */
    CUT
  }

  private final Window window;
  private final Tokens tokens = new Tokens();
  private final Event event = new Event();
  private final EventReader reader = new EventReader(tokens, event);
  private final Values values = new Values(tokens);
  private final Candidates candidates;
  private final Sink sink;
  private final Condition condition;
  private final Runnable gap = this::blanksAndCommas;
  private final Runnable element = reader::read;
  private final Runnable noElement = this::noEvent;

  /** Whether the end of the file has been judged. */
  private boolean finished;

  DocumentReader(Window window, Sink sink, Condition condition) {
    this.window = window;
    this.sink = sink;
    this.condition = condition;
    this.candidates = new Candidates(window);
  }

  void read() throws IOException, TraceFormatException {
    if (attempt(tokens::peek) != Outcome.DONE) {
      condition.cut = window.isCut();
      return;
    }
    int first = window.bytes[tokens.at];
    window.keep = tokens.at;
    boolean complete = first == '[' ? array() : object();
    condition.cut = window.isCut();
    if (complete && attempt(tokens::peek) == Outcome.DONE) {
      condition.trailing(window.offset(tokens.at));
    }
    condition.check();
  }

  /** A missing bracket at the end is no fault of this form. */
  private boolean array() throws IOException, TraceFormatException {
    condition.eventsSeen = true;
    window.keep++;
    return events(true);
  }

  private boolean object() throws IOException, TraceFormatException {
    window.keep++;
    while (true) {
      Outcome outcome = attempt(gap);
      if (outcome == Outcome.END) {
        condition.truncated(window.offset(window.limit));
        return false;
      }
      if (window.bytes[window.keep] == '}') {
        window.keep++;
        return true;
      }
      if (!member()) {
        return false;
      }
    }
  }

  /** Reads a key and its value; false if the file ends in it. */
  private boolean member() throws IOException, TraceFormatException {
    int at = window.keep;
    Outcome outcome = attempt(tokens::key);
    if (outcome == Outcome.DONE) {
      String key =
          new String(tokens.bytes, tokens.start, tokens.end - tokens.start, StandardCharsets.UTF_8);
      window.keep = tokens.at;
      outcome = value(key);
      if (outcome == Outcome.DONE) {
        return true;
      }
      at = window.keep;
    }
    if (finished) {
      return false;
    }
    if (outcome == Outcome.BROKEN) {
      condition.broken(window.offset(at));
      if (candidates.topKey()) {
        return true;
      }
      // what is lost behind the events is known; a broken file is not one that was cut
      return false;
    }
    return atEnd();
  }

  /** A string that does not end may have lost a quotation mark long before the end. */
  private boolean atEnd() throws IOException {
    long at = window.offset(window.keep);
    if (candidates.topKey()) {
      condition.broken(at);
      return true;
    }
    condition.truncated(window.offset(window.limit));
    return false;
  }

  private Outcome value(String key) throws IOException, TraceFormatException {
    Outcome outcome = attempt(tokens::peek);
    if (outcome != Outcome.DONE) {
      return outcome;
    }
    window.keep = tokens.at;
    if (key.equals(EVENTS) && window.bytes[window.keep] == '[') {
      condition.eventsSeen = true;
      window.keep++;
      return events(false) ? Outcome.DONE : Outcome.END;
    }
    if (KNOWN.contains(key)) {
      outcome = attempt(() -> sink.metadata(key, values.read()));
    } else {
      outcome = skip();
    }
    if (outcome == Outcome.DONE) {
      window.keep = tokens.at;
    }
    return outcome;
  }

  /** Skips a value of any size. */
  private Outcome skip() throws IOException {
    int b = window.bytes[window.keep];
    if (b != '{' && b != '[') {
      return attempt(this::scalar);
    }
    tokens.beginSkip();
    while (true) {
      align();
      try {
        tokens.continueSkip();
        return Outcome.DONE;
      } catch (Signal signal) {
        window.keep = tokens.at;
        if (signal == Signal.BROKEN) {
          return Outcome.BROKEN;
        }
        if (!window.refill()) {
          return Outcome.END;
        }
      }
    }
  }

  /** What follows tells whether a string ended where it should, or swallowed the next key. */
  private void scalar() {
    tokens.skipValue();
    int next = tokens.peek();
    if (next != ',' && next != '}') {
      throw Signal.BROKEN;
    }
  }

  /** Reads events up to the closing bracket; false if the file ends before. */
  private boolean events(boolean bare) throws IOException, TraceFormatException {
    while (true) {
      Outcome outcome = attempt(gap);
      if (outcome == Outcome.END) {
        return end(!bare || window.isCut());
      }
      int b = window.bytes[window.keep];
      if (b == ']') {
        window.keep++;
        return true;
      }
      outcome = attempt(b == '{' ? element : noElement);
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
      Outcome outcome = attempt(reader::read);
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
    align();
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

  private void blanksAndCommas() {
    while (tokens.peek() == ',') {
      tokens.at++;
    }
    window.keep = tokens.at;
  }

  private void align() {
    tokens.bytes = window.bytes;
    tokens.at = window.keep;
    tokens.limit = window.limit;
  }

  private Outcome attempt(Runnable reading) throws IOException {
    while (true) {
      align();
      try {
        reading.run();
        return Outcome.DONE;
      } catch (Signal signal) {
        if (signal == Signal.BROKEN) {
          return Outcome.BROKEN;
        }
        if (!window.refill()) {
          return window.isEnded() ? Outcome.END : Outcome.BROKEN;
        }
      }
    }
  }
}
