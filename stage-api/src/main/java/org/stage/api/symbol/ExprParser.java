package org.stage.api.symbol;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * Recursive descent over {@code sum := ['-'] product (('+'|'-') product)*}, {@code product :=
 * factor (('*'|'/') factor)*}, {@code factor := atom ['^' ['-'] digits]}, {@code atom := digits |
 * symbol | '(' sum ')' | call} and {@code call := ('min'|'max') '(' sum (',' sum)+ ')' | 'ceil' '('
 * sum ')' | 'sum' '(' symbol 'in' sum '..' sum ':' sum ')'}. The names of functions are symbols
 * like others where no parenthesis follows.
 */
final class ExprParser {
  /** Text from a file must not be able to exhaust the stack. */
  private static final int DEEPEST = 100;

  /** Nor the memory: a longer exponent is a typing error. */
  private static final int EXPONENT_DIGITS = 3;

  private static final Set<String> FUNCTIONS = Set.of("min", "max", "ceil", "sum");

  private final String text;
  private int at;
  private int depth;

  ExprParser(String text) {
    this.text = text;
  }

  Expr parse() {
    Expr result = sum();
    if (at < text.length()) {
      throw unexpected();
    }
    return result;
  }

  private Expr sum() {
    Expr result = next('-') ? Expr.ZERO : product();
    while (next('+') || next('-')) {
      boolean minus = text.charAt(at++) == '-';
      Expr next = product();
      result = minus ? result.minus(next) : result.plus(next);
    }
    return result;
  }

  private Expr product() {
    Expr result = factor();
    while (next('*') || next('/')) {
      boolean over = text.charAt(at++) == '/';
      Expr next = factor();
      try {
        result = over ? result.over(next) : result.times(next);
      } catch (ArithmeticException e) {
        throw refuse(e);
      }
    }
    return result;
  }

  private Expr factor() {
    Expr base = atom();
    if (!next('^')) {
      return base;
    }
    at++;
    boolean negative = next('-');
    if (negative) {
      at++;
    }
    skipBlanks();
    int start = at;
    String digits = run(ExprParser::isDigit);
    if (digits.length() > EXPONENT_DIGITS) {
      at = start + EXPONENT_DIGITS;
      throw unexpected();
    }
    try {
      return base.power((negative ? -1 : 1) * Integer.parseInt(digits));
    } catch (ArithmeticException e) {
      throw refuse(e);
    }
  }

  private Expr atom() {
    if (next('(')) {
      open();
      Expr inner = sum();
      close();
      return inner;
    }
    if (at < text.length() && isDigit(text.charAt(at))) {
      return Expr.of(new Rational(new BigInteger(run(ExprParser::isDigit)), BigInteger.ONE));
    }
    String name = run(c -> isDigit(c) || isLetter(c));
    return FUNCTIONS.contains(name) && next('(') ? call(name) : Expr.symbol(name);
  }

  private Expr call(String function) {
    open();
    Expr result =
        switch (function) {
          case "sum" -> sumOver();
          case "ceil" -> Ceil.of(sum());
          default -> Extreme.of(function.equals("min"), operands());
        };
    close();
    return result;
  }

  private List<Expr> operands() {
    List<Expr> operands = new ArrayList<>(List.of(sum()));
    do {
      expect(",");
      operands.add(sum());
    } while (next(','));
    return operands;
  }

  private Expr sumOver() {
    skipBlanks();
    if (at < text.length() && isDigit(text.charAt(at))) {
      throw unexpected();
    }
    String index = run(c -> isDigit(c) || isLetter(c));
    skipBlanks();
    int word = at;
    if (!run(ExprParser::isLetter).equals("in")) {
      at = word;
      throw unexpected();
    }
    Expr from = sum();
    expect("..");
    Expr to = sum();
    expect(":");
    return Expr.sum(index, from, to, sum());
  }

  private void open() {
    if (++depth > DEEPEST) {
      throw unexpected();
    }
    at++;
  }

  private void close() {
    expect(")");
    depth--;
  }

  /** Behind a sum, which has skipped blanks. */
  private void expect(String mark) {
    if (!text.startsWith(mark, at)) {
      throw unexpected();
    }
    at += mark.length();
  }

  /** The longest run of accepted characters; at least one. */
  private String run(IntPredicate accepted) {
    int start = at;
    while (at < text.length() && accepted.test(text.charAt(at))) {
      at++;
    }
    if (start == at) {
      throw unexpected();
    }
    return text.substring(start, at);
  }

  private static boolean isDigit(int c) {
    return '0' <= c && c <= '9';
  }

  private static boolean isLetter(int c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '_';
  }

  private boolean next(char c) {
    skipBlanks();
    return at < text.length() && text.charAt(at) == c;
  }

  private void skipBlanks() {
    while (at < text.length() && text.charAt(at) == ' ') {
      at++;
    }
  }

  private IllegalArgumentException refuse(ArithmeticException e) {
    return new IllegalArgumentException("'" + text + "': " + e.getMessage(), e);
  }

  private IllegalArgumentException unexpected() {
    String found = at < text.length() ? "'" + text.charAt(at) + "'" : "the end";
    return new IllegalArgumentException(
        "'" + text + "': " + found + " at character " + (at + 1) + " is not expected");
  }
}
