package org.stage.plugin.kineto.format;

/** Reads one event in the window, keeping what has a known key. */
final class EventReader {
  private final Tokens tokens;
  private final Event event;

  EventReader(Tokens tokens, Event event) {
    this.tokens = tokens;
    this.event = event;
  }

  /**
   * Reads from the opening brace to behind the closing one.
   *
   * @throws Signal if the window ends before, or the event is broken
   */
  void read() {
    event.clear(tokens.bytes);
    object(false);
  }

  private void object(boolean args) {
    tokens.at++;
    boolean mayFollow = true;
    while (true) {
      int b = tokens.peek();
      if (b == ',') {
        tokens.at++;
        mayFollow = true;
      } else if (b == '}') {
        tokens.at++;
        return;
      } else if (mayFollow) {
        member(args);
        mayFollow = false;
      } else {
        throw Signal.BROKEN;
      }
    }
  }

  private void member(boolean args) {
    tokens.key();
    int number = Key.find(tokens.bytes, tokens.start, tokens.end);
    if (number < 0) {
      tokens.skipValue();
      return;
    }
    Key key = Key.of(number);
    boolean ofArgs = key.compareTo(Key.ARGS) > 0;
    if (key == Key.ARGS && !args && tokens.peek() == '{') {
      event.hasArgs = true;
      object(true);
    } else if (ofArgs == args) {
      value(key);
    } else {
      tokens.skipValue();
    }
  }

  /** The bytes of a value; of an array or object raw, and of the last where a key stands twice. */
  private void value(Key key) {
    int b = tokens.peek();
    int from = tokens.at;
    if (b == '[' || b == '{') {
      tokens.skipValue();
      event.put(key, from, tokens.at);
    } else if (tokens.scalar()) {
      event.put(key, tokens.start, tokens.end);
    } else {
      event.remove(key);
    }
  }
}
