package org.stage.plugin.kineto.format;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a document with a list of records, one at a time, as leniently as profiles are read: what
 * is broken is dropped and counted, and a file that ends too early is read up to there.
 */
public final class Records {
  private final Window window;
  private final Tokens tokens = new Tokens();
  private final Values values = new Values(tokens);
  private final Candidates candidates;
  private final Condition condition = new Condition();
  private final String list;
  private final Set<String> keys;
  private final Sink sink;

  /** Takes what is found. */
  public interface Sink {
    /** Takes a record: maps, lists and text. */
    void record(Map<?, ?> record);

    /** Takes the value of a known key of the document. */
    void value(String key, Object value);
  }

  private Records(Window window, String list, Set<String> keys, Sink sink) {
    this.window = window;
    this.list = list;
    this.keys = keys;
    this.sink = sink;
    this.candidates = new Candidates(window);
  }

  /**
   * Reads {@code file}, compressed by gzip or not.
   *
   * @param list the key of the list
   * @param keys other keys whose values are wanted, all of them small
   * @throws IOException if the file cannot be read
   * @throws TraceFormatException if there is no such list, or it is broken all over
   */
  public static Condition read(
      Path file, String list, Set<String> keys, Sink sink, TraceReader.Watch watch)
      throws IOException, TraceFormatException {
    try (InputStream in = new WatchedStream(Files.newInputStream(file), watch)) {
      InputStream inflated = TraceReader.inflated(new BufferedInputStream(in, 1 << 16));
      Window window = new Window(inflated, 1 << 17);
      window.refill();
      Sniffer.check(window);
      Records records = new Records(window, list, keys, sink);
      records.document();
      Condition condition = records.condition;
      condition.cut = window.isCut();
      if (!condition.eventsSeen) {
        throw new TraceFormatException(
            "holds no " + list + " up to byte " + window.offset(window.limit),
            "Record or copy the file again.");
      }
      condition.check();
      return condition;
    }
  }

  private void document() throws IOException, TraceFormatException {
    window.keep++;
    while (true) {
      @Nullable Signal end = attempt(this::gap);
      if (end == null && window.bytes[window.keep] == '}') {
        return;
      }
      end = end == null ? attempt(tokens::key) : end;
      if (end == null) {
        String key = Text.decode(tokens.bytes, tokens.start, tokens.end, tokens.escaped);
        window.keep = tokens.at;
        end = value(key);
      }
      if (end == Signal.BROKEN) {
        condition.broken(window.offset(window.keep));
        return;
      }
      if (end != null) {
        condition.truncated(window.offset(window.limit));
        return;
      }
    }
  }

  private @Nullable Signal value(String key) throws IOException, TraceFormatException {
    @Nullable Signal end = attempt(tokens::peek);
    if (end != null) {
      return end;
    }
    window.keep = tokens.at;
    if (key.equals(list) && window.bytes[window.keep] == '[') {
      condition.eventsSeen = true;
      window.keep++;
      return records();
    }
    end = attempt(keys.contains(key) ? () -> sink.value(key, values.read()) : tokens::skipValue);
    if (end == null) {
      window.keep = tokens.at;
    }
    return end;
  }

  private @Nullable Signal records() throws IOException, TraceFormatException {
    while (true) {
      @Nullable Signal end = attempt(this::gap);
      if (end != null) {
        return end;
      }
      if (window.bytes[window.keep] == ']') {
        window.keep++;
        return null;
      }
      @Nullable Object[] record = new @Nullable Object[1];
      end = attempt(() -> record[0] = record());
      if (end == null) {
        window.keep = tokens.at;
        condition.events++;
        if (record[0] instanceof Map<?, ?> map) {
          sink.record(map);
        }
        continue;
      }
      Damage damage = new Damage(window.offset(window.keep), window.line(window.keep));
      int next = candidates.event(1);
      if (next < 0) {
        return end;
      }
      condition.damaged(damage);
      window.keep = next;
    }
  }

  private Object record() {
    int b = tokens.peek();
    if (b == '}' || b == ':') {
      throw Signal.BROKEN;
    }
    return values.read();
  }

  private void gap() {
    while (tokens.peek() == ',') {
      tokens.at++;
    }
    window.keep = tokens.at;
  }

  /** Null if it could be read. */
  private @Nullable Signal attempt(Runnable reading) throws IOException {
    while (true) {
      tokens.bytes = window.bytes;
      tokens.at = window.keep;
      tokens.limit = window.limit;
      try {
        reading.run();
        return null;
      } catch (Signal signal) {
        if (signal == Signal.BROKEN || !window.refill()) {
          return signal;
        }
      }
    }
  }
}
