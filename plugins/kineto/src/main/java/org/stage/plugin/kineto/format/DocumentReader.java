package org.stage.plugin.kineto.format;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.stage.plugin.kineto.format.Cursor.Outcome;

/** Reads a document: an object with events and metadata in any order, or a bare array of events. */
final class DocumentReader {
  private static final String EVENTS = "traceEvents";
  private static final Set<String> KNOWN =
      Set.of("distributedInfo", "deviceProperties", "computeProperties", "baseTimeNanoseconds");

  /** Takes what is found. */
  interface Sink {
    /** Takes an event, which is used again for the next. */
    void event(Event event);

    /** Takes a value with a known key. */
    void metadata(String key, Object value);
  }

  private final Window window;
  private final Cursor cursor;
  private final Tokens tokens;
  private final Values values;
  private final EventArray events;
  private final Candidates candidates;
  private final Sink sink;
  private final Condition condition;

  DocumentReader(Window window, Sink sink, Condition condition) {
    this.window = window;
    this.sink = sink;
    this.condition = condition;
    this.cursor = new Cursor(window);
    this.tokens = cursor.tokens;
    this.values = new Values(tokens);
    this.candidates = new Candidates(window);
    this.events = new EventArray(cursor, candidates, sink, condition);
  }

  void read() throws IOException, TraceFormatException {
    if (cursor.attempt(tokens::peek) != Outcome.DONE) {
      condition.cut = window.isCut();
      return;
    }
    int first = window.bytes[tokens.at];
    window.keep = tokens.at;
    boolean complete = first == '[' ? array() : object();
    condition.cut = window.isCut();
    if (complete && cursor.attempt(tokens::peek) == Outcome.DONE) {
      condition.trailing(window.offset(tokens.at));
    }
    condition.check();
  }

  /** A missing bracket at the end is no fault of this form. */
  private boolean array() throws IOException, TraceFormatException {
    condition.eventsSeen = true;
    window.keep++;
    return events.read(true);
  }

  private boolean object() throws IOException, TraceFormatException {
    window.keep++;
    while (true) {
      Outcome outcome = cursor.gap();
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
    Outcome outcome = cursor.attempt(tokens::key);
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
    if (events.isFinished()) {
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
    Outcome outcome = cursor.attempt(tokens::peek);
    if (outcome != Outcome.DONE) {
      return outcome;
    }
    window.keep = tokens.at;
    if (key.equals(EVENTS) && window.bytes[window.keep] == '[') {
      condition.eventsSeen = true;
      window.keep++;
      return events.read(false) ? Outcome.DONE : Outcome.END;
    }
    if (KNOWN.contains(key)) {
      outcome = cursor.attempt(() -> sink.metadata(key, values.read()));
    } else {
      outcome = cursor.skip();
    }
    if (outcome == Outcome.DONE) {
      window.keep = tokens.at;
    }
    return outcome;
  }
}
