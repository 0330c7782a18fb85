package org.stage.plugin.kineto.format;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads a small value with a known key whole: maps, lists and text. */
final class Values {
  private static final int DEEPEST = 8;

  private final Tokens tokens;

  Values(Tokens tokens) {
    this.tokens = tokens;
  }

  /** A map, a list, or text; the empty text where a value is missing. */
  Object read() {
    return read(0);
  }

  private Object read(int depth) {
    if (depth > DEEPEST) {
      throw Signal.BROKEN;
    }
    int b = tokens.peek();
    if (b == '{') {
      return map(depth);
    }
    if (b == '[') {
      return list(depth);
    }
    return tokens.scalar() ? text() : "";
  }

  private String text() {
    return Text.decode(tokens.bytes, tokens.start, tokens.end, tokens.escaped);
  }

  private Map<String, Object> map(int depth) {
    Map<String, Object> map = new LinkedHashMap<>();
    tokens.at++;
    boolean mayFollow = true;
    while (true) {
      int b = tokens.peek();
      if (b == ',') {
        tokens.at++;
        mayFollow = true;
      } else if (b == '}') {
        tokens.at++;
        return map;
      } else if (mayFollow) {
        tokens.key();
        String key = text();
        map.put(key, read(depth + 1));
        mayFollow = false;
      } else {
        throw Signal.BROKEN;
      }
    }
  }

  private List<Object> list(int depth) {
    List<Object> list = new ArrayList<>();
    tokens.at++;
    boolean mayFollow = true;
    while (true) {
      int b = tokens.peek();
      if (b == ',') {
        tokens.at++;
        mayFollow = true;
      } else if (b == ']') {
        tokens.at++;
        return list;
      } else if (mayFollow && b != '}') {
        list.add(read(depth + 1));
        mayFollow = false;
      } else {
        throw Signal.BROKEN;
      }
    }
  }
}
