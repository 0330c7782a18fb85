package org.stage.backend.dot.check;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The words of a drawing, as Graphviz divides it. */
final class Tokens {
  /** Behind the last one. */
  static final String END = "";

  private static final Pattern SPACE =
      Pattern.compile("(?:\\s++|//[^\\n]*+|(?m:^#)[^\\n]*+|/\\*(?s:.*?)\\*/)*+");
  private static final Pattern TOKEN =
      Pattern.compile(
          "->|--|[{}\\[\\];,=:]"
              + "|\"(?:[^\"\\\\]++|\\\\(?s:.))*+\""
              + "|[\\p{L}_][\\p{L}\\p{N}_]*+"
              + "|-?(?:\\.\\d++|\\d++(?:\\.\\d*+)?)");

  private final String text;
  private int at;
  private String next = END;

  Tokens(String text) throws DrawingException {
    this.text = text;
    advance();
  }

  /** The next one, without taking it. */
  String peek() {
    return next;
  }

  /** Takes the next one. */
  String take() throws DrawingException {
    String taken = next;
    advance();
    return taken;
  }

  /** Takes the next one if it is {@code wanted}. */
  boolean takes(String wanted) throws DrawingException {
    boolean there = next.equalsIgnoreCase(wanted);
    if (there) {
      advance();
    }
    return there;
  }

  /** Takes a name or text. */
  String id() throws DrawingException {
    if (next.isEmpty() || "{}[];,=:->--".contains(next)) {
      throw fault("a name is expected and not '" + next + "'");
    }
    return take();
  }

  /** Takes {@code wanted}. */
  void expect(String wanted) throws DrawingException {
    if (!takes(wanted)) {
      throw fault("'" + wanted + "' is expected and not '" + next + "'");
    }
  }

  DrawingException fault(String problem) {
    int line = 1 + (int) text.substring(0, at).chars().filter(c -> c == '\n').count();
    return new DrawingException(line, problem);
  }

  private void advance() throws DrawingException {
    Matcher space = SPACE.matcher(text).region(at, text.length());
    if (space.lookingAt()) {
      at = space.end();
    }
    if (at == text.length()) {
      next = END;
      return;
    }
    Matcher token = TOKEN.matcher(text).region(at, text.length());
    if (!token.lookingAt()) {
      throw fault(
          text.charAt(at) == '"' ? "a text has no end" : "what is '" + text.charAt(at) + "'?");
    }
    next = token.group();
    at = token.end();
  }
}
