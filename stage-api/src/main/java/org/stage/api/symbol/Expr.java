package org.stage.api.symbol;

import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * An exact symbolic size: a sum of products of symbols with rational coefficients, exponents of
 * either sign (a Laurent polynomial). Two expressions that are equal as polynomials are {@link
 * #equals equal} and print alike, for example {@code 2*batch*embed*seq/tp + 3*embed}.
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

  /**
   * Reads what {@link #toString} prints, and any sum, difference, product, quotient or integer
   * power (of up to 3 digits) of such, with parentheses.
   *
   * @throws IllegalArgumentException at the first character that does not fit, which it names; or
   *     if something other than one product divides
   */
  public static Expr parse(String text) {
    return new ExprParser(text).parse();
  }

  private static Expr term(Monomial monomial, Rational coefficient) {
    TreeMap<Monomial, Rational> terms = new TreeMap<>(Comparator.naturalOrder());
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
    if (exponent >= 0 && terms.size() != 1) {
      Expr result = ONE;
      for (int i = 0; i < exponent; i++) {
        result = result.times(this);
      }
      return result;
    }
    if (terms.size() != 1) {
      throw new ArithmeticException("division by " + this + ": only one product can divide");
    }
    Monomial monomial = terms.firstKey();
    return term(monomial.power(exponent), terms.values().iterator().next().power(exponent));
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

  /** The symbols that occur, sorted. */
  public Set<String> symbols() {
    Set<String> symbols = new TreeSet<>();
    terms.keySet().forEach(monomial -> symbols.addAll(monomial.powers().keySet()));
    return symbols;
  }

  /**
   * Replaces each occurrence of {@code symbol} by {@code value}.
   *
   * @throws ArithmeticException if the symbol divides, and {@code value} has not exactly one term
   */
  public Expr substitute(String symbol, Expr value) {
    Expr result = ZERO;
    for (Map.Entry<Monomial, Rational> entry : terms.entrySet()) {
      TreeMap<String, Integer> rest = new TreeMap<>(entry.getKey().powers());
      Integer power = rest.remove(symbol);
      Expr factor = term(new Monomial(rest), entry.getValue());
      result = result.plus(power == null ? factor : factor.times(value.power(power)));
    }
    return result;
  }

  /**
   * The exact value under {@code bindings}, which may bind more symbols than occur.
   *
   * @throws IllegalArgumentException if a symbol is unbound
   * @throws ArithmeticException if a symbol that divides is bound to 0
   */
  public Rational evaluateExact(Map<String, Long> bindings) {
    Rational sum = Rational.ZERO;
    for (Map.Entry<Monomial, Rational> entry : terms.entrySet()) {
      Rational product = entry.getValue();
      for (Map.Entry<String, Integer> factor : entry.getKey().powers().entrySet()) {
        Long value = bindings.get(factor.getKey());
        if (value == null) {
          throw new IllegalArgumentException(
              "symbol '" + factor.getKey() + "' of " + this + " has no value");
        }
        if (value == 0 && factor.getValue() < 0) {
          throw new ArithmeticException(
              "symbol '" + factor.getKey() + "' divides in " + this + " and is 0");
        }
        product = product.times(Rational.of(value).power(factor.getValue()));
      }
      sum = sum.plus(product);
    }
    return sum;
  }

  /**
   * The value under {@code bindings} as an integer.
   *
   * @throws IllegalArgumentException if a symbol is unbound
   * @throws ArithmeticException if the value is not an integer, does not fit 64 bits, or divides by
   *     0
   */
  public long evaluate(Map<String, Long> bindings) {
    Rational value = evaluateExact(bindings);
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
    terms.forEach(
        (monomial, coefficient) -> {
          boolean negative = coefficient.numerator().signum() < 0;
          Rational size = negative ? coefficient.times(Rational.of(-1)) : coefficient;
          if (text.length() > 0) {
            text.append(negative ? " - " : " + ");
          } else if (negative) {
            text.append('-');
          }
          text.append(monomial.print(size));
        });
    return text.toString();
  }
}
