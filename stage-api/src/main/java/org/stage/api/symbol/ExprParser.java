package org.stage.api.symbol;

/** Recursive descent over {@code sum := product (('+'|'-') product)*} and so on. */
final class ExprParser {
  private final String text;
  private int at;

  ExprParser(String text) {
    this.text = text;
  }

  Expr parse() {
    Expr result = sum();
    if (peek() != 0) {
      throw unexpected();
    }
    return result;
  }

  private Expr sum() {
    Expr result = peek() == '-' ? Expr.ZERO : product();
    while (peek() == '+' || peek() == '-') {
      boolean minus = text.charAt(at++) == '-';
      Expr next = product();
      result = minus ? result.minus(next) : result.plus(next);
    }
    return result;
  }

  private Expr product() {
    Expr result = factor();
    while (peek() == '*' || peek() == '/') {
      boolean over = text.charAt(at++) == '/';
      Expr next = factor();
      try {
        result = over ? result.over(next) : result.times(next);
      } catch (ArithmeticException e) {
        throw new IllegalArgumentException("'" + text + "': " + e.getMessage(), e);
      }
    }
    return result;
  }

  private Expr factor() {
    Expr base = atom();
    if (peek() != '^') {
      return base;
    }
    at++;
    boolean negative = peek() == '-';
    if (negative) {
      at++;
    }
    int power = Integer.parseInt(run("[0-9]"));
    return base.power(negative ? -power : power);
  }

  private Expr atom() {
    char c = peek();
    if (c == '(') {
      at++;
      Expr inner = sum();
      if (peek() != ')') {
        throw unexpected();
      }
      at++;
      return inner;
    }
    if (Character.isDigit(c)) {
      return Expr.of(
          new Rational(new java.math.BigInteger(run("[0-9]")), java.math.BigInteger.ONE));
    }
    if (Character.isLetter(c) || c == '_') {
      return Expr.symbol(run("[A-Za-z_0-9]"));
    }
    throw unexpected();
  }

  private String run(String accepted) {
    peek();
    int start = at;
    while (at < text.length() && text.substring(at, at + 1).matches(accepted)) {
      at++;
    }
    if (start == at) {
      throw unexpected();
    }
    return text.substring(start, at);
  }

  /** The next character that is not a blank, or 0 at the end. */
  private char peek() {
    while (at < text.length() && text.charAt(at) == ' ') {
      at++;
    }
    return at < text.length() ? text.charAt(at) : 0;
  }

  private IllegalArgumentException unexpected() {
    String found = at < text.length() ? "'" + text.charAt(at) + "'" : "the end";
    return new IllegalArgumentException(
        "'" + text + "': " + found + " at character " + (at + 1) + " is not expected");
  }
}
