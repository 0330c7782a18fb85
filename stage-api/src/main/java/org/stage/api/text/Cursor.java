package org.stage.api.text;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A place in one line of a textual form, for the parsers of such forms. Blanks between the pieces
 * of a line do not count. Every refusal quotes the line and says what was expected.
 */
public final class Cursor {
  private static final String ESCAPES = "nr\"\\";
  private static final String ESCAPED = "\n\r\"\\";

  private final String where;
  private final String line;
  private int at;

  private Cursor(String where, String line) {
    this.where = where;
    this.line = line;
  }

  /** The start of a line that stands alone. */
  public static Cursor of(String line) {
    return new Cursor("", line.strip());
  }

  /** The starts of the lines of {@code text} that are neither blank nor a comment. */
  public static List<Cursor> lines(String text) {
    List<Cursor> lines = new ArrayList<>();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      if (!line.isBlank() && !line.stripLeading().startsWith("#")) {
        lines.add(new Cursor("line " + number + ": ", line.strip()));
      }
    }
    return lines;
  }

  /** Steps over {@code symbol} if it stands here. */
  public boolean take(String symbol) {
    boolean here = sees(symbol);
    if (here) {
      at += symbol.length();
    }
    return here;
  }

  /** Whether {@code symbol} stands here. */
  public boolean sees(String symbol) {
    skipBlanks();
    return line.startsWith(symbol, at);
  }

  /** Whether a digit stands here. */
  public boolean seesDigit() {
    skipBlanks();
    return at < line.length() && '0' <= line.charAt(at) && line.charAt(at) <= '9';
  }

  /** Steps over {@code symbol}, which must stand here. */
  public void expect(String symbol) {
    if (!take(symbol)) {
      throw expected("'" + symbol + "'");
    }
  }

  /** Requires that nothing is left. */
  public void end() {
    skipBlanks();
    if (at < line.length()) {
      throw expected("the end of the line");
    }
  }

  /** Whether nothing is left. */
  public boolean atEnd() {
    skipBlanks();
    return at == line.length();
  }

  /** The run of accepted characters that stands here, at least one; {@code what} names it. */
  public String run(IntPredicate accepted, String what) {
    skipBlanks();
    int start = at;
    while (at < line.length() && accepted.test(line.charAt(at))) {
      at++;
    }
    if (start == at) {
      throw expected(what);
    }
    return line.substring(start, at);
  }

  /** The rest of a quoted word whose first quote has been taken, without its escapes. */
  public String quoted() {
    StringBuilder word = new StringBuilder();
    while (at < line.length() && line.charAt(at) != '"') {
      char c = line.charAt(at++);
      if (c != '\\') {
        word.append(c);
      } else if (at < line.length() && ESCAPES.indexOf(line.charAt(at)) >= 0) {
        word.append(ESCAPED.charAt(ESCAPES.indexOf(line.charAt(at++))));
      } else {
        throw expected("one of n r \" \\");
      }
    }
    if (at == line.length()) {
      throw expected("'\"'");
    }
    at++;
    return word.toString();
  }

  /** A whole number of 64 bits, with or without a sign. */
  public long number() {
    skipBlanks();
    int start = at;
    String sign = take("-") ? "-" : take("+") ? "+" : "";
    String digits = run(c -> '0' <= c && c <= '9', "a whole number");
    try {
      return Long.parseLong(sign + digits);
    } catch (NumberFormatException e) {
      at = start;
      throw expected("a number of 64 bits");
    }
  }

  /** A whole number of 32 bits. */
  public int integer() {
    skipBlanks();
    int start = at;
    long number = number();
    if (number != (int) number) {
      at = start;
      throw expected("a number of 32 bits");
    }
    return (int) number;
  }

  /** The refusal of what stands here, where {@code what} should. */
  public IllegalArgumentException expected(String what) {
    skipBlanks();
    String found = at < line.length() ? "'" + line.charAt(at) + "'" : "the end";
    return refusal("expected " + what + " at character " + (at + 1) + ", found " + found);
  }

  /** The refusal of this line for a reason of its own. */
  public IllegalArgumentException refusal(@Nullable String reason) {
    return new IllegalArgumentException(where + "'" + line + "': " + reason);
  }

  private void skipBlanks() {
    while (at < line.length() && (line.charAt(at) == ' ' || line.charAt(at) == '\t')) {
      at++;
    }
  }
}
