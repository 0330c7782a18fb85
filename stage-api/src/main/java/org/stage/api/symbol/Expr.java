package org.stage.api.symbol;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.stage.api.Experimental;

/**
 * An exact symbolic size: a sum of products of symbols with rational coefficients, exponents of
 * either sign (a Laurent polynomial). Two expressions that are equal as polynomials are {@link
 * #equals equal} and print alike, for example {@code 2*batch*embed*seq/tp + 3*embed}.
 *
 * <p>What is no polynomial is a <em>derived symbol</em>, made by {@link #min}, {@link #max}, {@link
 * #ceilDiv} or {@link #sum}: one symbol to the algebra, as in {@code min(seq, window)*heads}, whose
 * value is worked out from its definition. Two are the same if their definitions are.
 *
 * <p>Immutable. Symbols are identifiers of letters, digits and {@code _}.
 */
public final class Expr {
  /** The constant 0. */
  public static final Expr ZERO = new Expr(new TreeMap<>());

  /** The constant 1. */
  public static final Expr ONE = of(1);

  private final SortedMap<Monomial, Rational> terms;

  private Expr(SortedMap<Monomial, Rational> terms) {
    this.terms = terms;
  }

  /** The constant {@code value}. */
  public static Expr of(long value) {
    return of(Rational.of(value));
  }

  /** The constant {@code value}. */
  public static Expr of(Rational value) {
    return term(Monomial.ONE, value);
  }

  /**
   * The symbol {@code name}.
   *
   * @throws IllegalArgumentException if {@code name} is not an identifier
   */
  public static Expr symbol(String name) {
    if (!name.matches("[A-Za-z_][A-Za-z_0-9]*")) {
      throw new IllegalArgumentException("not a symbol: '" + name + "'");
    }
    return term(Monomial.of(name, 1), Rational.ONE);
  }

  /** The derived symbol of a definition in its one form. */
  static Expr derived(Definition definition) {
    return term(Monomial.of(Symbol.derived(definition), 1), Rational.ONE);
  }

  /**
   * The smaller of both, as a derived symbol: {@code min(seq, window)}. Operands that differ by a
   * constant give the smaller at once: {@code min(3, 5)} is 3, {@code min(a + 1, a)} is {@code a}.
   * Neither order nor nesting matters: {@code min(a, min(c, b))} is {@code min(a, b, c)}.
   */
  @Experimental
  public static Expr min(Expr a, Expr b) {
    return Extreme.of(true, List.of(a, b));
  }

  /** The larger of both; all else is as with {@link #min}. */
  @Experimental
  public static Expr max(Expr a, Expr b) {
    return Extreme.of(false, List.of(a, b));
  }

  /**
   * The quotient rounded up to an integer, as a derived symbol: {@code ceil(tokens/block)}. A
   * constant is rounded at once, and a quotient that is an integer for all bindings is itself:
   * {@code ceil(7/2)} is 4, {@code ceil(4*a/2)} is {@code 2*a}.
   *
   * @throws ArithmeticException if {@code divisor} is zero or has more than one term
   */
  @Experimental
  public static Expr ceilDiv(Expr dividend, Expr divisor) {
    return Ceil.of(dividend.over(divisor));
  }

  /**
   * The sum of {@code body} over the integers {@code from <= index < to}, as a derived symbol:
   * {@code sum(i in 0..requests: i + prompt)}; 0 if there are none. The index counts in {@code
   * body} only, where it hides a symbol of that name; it may be renamed, so that sums are equal
   * whatever their indices are called. The bounds must be integers once bound, and at most 2^24
   * apart.
   *
   * @throws IllegalArgumentException if {@code index} is not an identifier
   */
  @Experimental
  public static Expr sum(String index, Expr from, Expr to, Expr body) {
    symbol(index); // refuses what is none
    return SumOver.of(index, from, to, body);
  }

  /**
   * Reads what {@link #toString} prints, and any sum, difference, product, quotient or integer
   * power (of up to 3 digits) of such, with parentheses, {@code min(a, b, ...)}, {@code max(a, b,
   * ...)}, {@code ceil(a/b)} and {@code sum(i in 0..n: a)}.
   *
   * @throws IllegalArgumentException at the first character that does not fit, which it names; or
   *     if something other than one product divides
   */
  public static Expr parse(String text) {
    return new ExprParser(text).parse();
  }

  private static Expr term(Monomial monomial, Rational coefficient) {
    TreeMap<Monomial, Rational> terms = new TreeMap<>();
    if (!coefficient.isZero()) {
      terms.put(monomial, coefficient);
    }
    return new Expr(terms);
  }

  /** The sum of both. */
  public Expr plus(Expr other) {
    TreeMap<Monomial, Rational> sum = new TreeMap<>(terms);
    other.terms.forEach((monomial, coefficient) -> addTerm(sum, monomial, coefficient));
    return new Expr(sum);
  }

  /** The difference of both. */
  public Expr minus(Expr other) {
    return plus(other.times(of(-1)));
  }

  /** The product of both. */
  public Expr times(Expr other) {
    TreeMap<Monomial, Rational> product = new TreeMap<>();
    terms.forEach(
        (m1, c1) -> other.terms.forEach((m2, c2) -> addTerm(product, m1.times(m2), c1.times(c2))));
    return new Expr(product);
  }

  /** This times an integer. */
  public Expr times(long factor) {
    return times(of(factor));
  }

  /**
   * The quotient by a single product of symbols.
   *
   * @throws ArithmeticException if {@code divisor} is zero or has more than one term
   */
  public Expr over(Expr divisor) {
    return times(divisor.power(-1));
  }

  /**
   * This to an integer power.
   *
   * @throws ArithmeticException if the power is negative and this has not exactly one term
   */
  public Expr power(int exponent) {
    if (terms.size() == 1) {
      Monomial monomial = terms.firstKey();
      return term(monomial.power(exponent), terms.values().iterator().next().power(exponent));
    }
    if (exponent < 0) {
      throw new ArithmeticException("division by " + this + ": only one product can divide");
    }
    Expr result = ONE;
    for (int i = 0; i < exponent; i++) {
      result = result.times(this);
    }
    return result;
  }

  private static void addTerm(
      Map<Monomial, Rational> into, Monomial monomial, Rational coefficient) {
    into.merge(
        monomial,
        coefficient,
        (a, b) -> {
          Rational sum = a.plus(b);
          return sum.isZero() ? null : sum;
        });
  }

  /** The symbols on which the value depends, also through derived ones; sorted. */
  public Set<String> symbols() {
    Set<String> symbols = new TreeSet<>();
    terms.keySet().forEach(monomial -> monomial.addSymbols(symbols));
    return symbols;
  }

  /** The value if no symbol occurs, else null. */
  @Nullable Rational constant() {
    if (terms.isEmpty()) {
      return Rational.ZERO;
    }
    return terms.size() == 1 ? terms.get(Monomial.ONE) : null;
  }

  /** The definition if this is one derived symbol and nothing else, else null. */
  @Nullable Definition definition() {
    return terms.size() == 1 && Rational.ONE.equals(terms.get(terms.firstKey()))
        ? terms.firstKey().definition()
        : null;
  }

  /** Whether coefficients, exponents and derived symbols promise an integer for all bindings. */
  boolean isWhole() {
    return terms.values().stream().allMatch(Rational::isInteger)
        && terms.keySet().stream().allMatch(Monomial::isWhole);
  }

  /**
   * Replaces each occurrence of {@code symbol} by {@code value}, also in the definitions of derived
   * symbols.
   *
   * @throws ArithmeticException if the symbol divides, and {@code value} has not exactly one term
   */
  public Expr substitute(String symbol, Expr value) {
    Expr result = ZERO;
    for (Map.Entry<Monomial, Rational> entry : terms.entrySet()) {
      List<Expr> replaced = new ArrayList<>();
      Expr term = term(entry.getKey().substitute(symbol, value, replaced), entry.getValue());
      for (Expr factor : replaced) {
        term = term.times(factor);
      }
      result = result.plus(term);
    }
    return result;
  }

  /**
   * The exact value under {@code bindings}, which may bind more symbols than occur.
   *
   * @throws IllegalArgumentException if a symbol is unbound
   * @throws ArithmeticException if a symbol that divides is bound to 0, or the bounds of a sum are
   *     no integers of 64 bits or too far apart
   */
  public Rational evaluateExact(Map<String, Long> bindings) {
    return value(bindings, this);
  }

  /** The value; {@code whole} is what was asked for, which errors quote. */
  Rational value(Map<String, Long> bindings, Expr whole) {
    Rational sum = Rational.ZERO;
    for (Map.Entry<Monomial, Rational> entry : terms.entrySet()) {
      sum = sum.plus(entry.getValue().times(entry.getKey().value(bindings, whole)));
    }
    return sum;
  }

  /**
   * The value under {@code bindings} as an integer.
   *
   * @throws IllegalArgumentException if a symbol is unbound
   * @throws ArithmeticException as {@link #evaluateExact}, or if it is no integer of 64 bits
   */
  public long evaluate(Map<String, Long> bindings) {
    return whole(bindings, this);
  }

  long whole(Map<String, Long> bindings, Expr whole) {
    Rational value = value(bindings, whole);
    if (!value.isInteger()) {
      throw new ArithmeticException(this + " is " + value + ", not a whole number");
    }
    if (value.numerator().bitLength() > 63) {
      throw new ArithmeticException(this + " is " + value + ", beyond 64 bits");
    }
    return value.numerator().longValue();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Expr expr && terms.equals(expr.terms);
  }

  @Override
  public int hashCode() {
    return terms.hashCode();
  }

  /** The canonical text, terms of higher degree first; {@link #parse} reads it back. */
  @Override
  public String toString() {
    if (terms.isEmpty()) {
      return "0";
    }
    StringBuilder text = new StringBuilder();
    terms.forEach((monomial, coefficient) -> monomial.appendTo(text, coefficient));
    return text.toString();
  }
}
