package org.stage.api.symbol;

import java.math.BigInteger;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A product of symbols to non-zero integer powers. The empty product is 1.
 *
 * @param powers exponent by symbol, sorted by symbol
 */
record Monomial(SortedMap<Symbol, Integer> powers) implements Comparable<Monomial> {
  static final Monomial ONE = new Monomial(new TreeMap<>());

  static Monomial of(String symbol, int power) {
    return of(Symbol.named(symbol), power);
  }

  static Monomial of(Symbol symbol, int power) {
    TreeMap<Symbol, Integer> powers = new TreeMap<>();
    powers.put(symbol, power);
    return new Monomial(powers);
  }

  Monomial times(Monomial other) {
    TreeMap<Symbol, Integer> product = new TreeMap<>(powers);
    other.powers.forEach((symbol, power) -> product.merge(symbol, power, Monomial::addExponents));
    return new Monomial(product);
  }

  /** Null for 0, which takes the symbol out of the product. */
  private static @Nullable Integer addExponents(int a, int b) {
    int sum = Math.addExact(a, b);
    return sum == 0 ? null : (Integer) sum;
  }

  Monomial power(int exponent) {
    TreeMap<Symbol, Integer> result = new TreeMap<>();
    if (exponent != 0) {
      powers.forEach((symbol, power) -> result.put(symbol, Math.multiplyExact(power, exponent)));
    }
    return new Monomial(result);
  }

  /** Whether the product is an integer for all integers that its symbols can be bound to. */
  boolean isWhole() {
    return powers.entrySet().stream()
        .allMatch(factor -> factor.getValue() > 0 && factor.getKey().isWhole());
  }

  void addSymbols(Set<String> symbols) {
    for (Symbol symbol : powers.keySet()) {
      if (symbol.definition() == null) {
        symbols.add(symbol.name());
      } else {
        symbols.addAll(symbol.definition().symbols());
      }
    }
  }

  /** The definition if this is one derived symbol and nothing else, else null. */
  @Nullable Definition definition() {
    return powers.size() == 1 && powers.containsValue(1) ? powers.firstKey().definition() : null;
  }

  /** The factors in which {@code symbol} does not occur; the others go to {@code replaced}. */
  Monomial substitute(String symbol, Expr value, List<Expr> replaced) {
    TreeMap<Symbol, Integer> rest = new TreeMap<>();
    powers.forEach(
        (factor, power) -> {
          Expr changed = factor.substitute(symbol, value);
          if (changed == null) {
            rest.put(factor, power);
          } else {
            replaced.add(changed.power(power));
          }
        });
    return new Monomial(rest);
  }

  /**
   * The exact value.
   *
   * @throws IllegalArgumentException if a symbol of {@code whole} is unbound
   * @throws ArithmeticException if a symbol divides and is 0
   */
  Rational value(Map<String, Long> bindings, Expr whole) {
    Rational product = Rational.ONE;
    for (Map.Entry<Symbol, Integer> factor : powers.entrySet()) {
      Rational value = factor.getKey().value(bindings, whole);
      if (value.isZero() && factor.getValue() < 0) {
        throw new ArithmeticException(
            "symbol '" + factor.getKey().name() + "' divides in " + whole + " and is 0");
      }
      product = product.times(value.power(factor.getValue()));
    }
    return product;
  }

  /** Higher total degree first, then by name: the order in which a paper would write the terms. */
  @Override
  public int compareTo(Monomial other) {
    int degrees = Integer.compare(other.degree(), degree());
    if (degrees != 0) {
      return degrees;
    }
    Iterator<Map.Entry<Symbol, Integer>> mine = powers.entrySet().iterator();
    Iterator<Map.Entry<Symbol, Integer>> theirs = other.powers.entrySet().iterator();
    while (mine.hasNext() && theirs.hasNext()) {
      Map.Entry<Symbol, Integer> a = mine.next();
      Map.Entry<Symbol, Integer> b = theirs.next();
      int names = a.getKey().compareTo(b.getKey());
      if (names != 0) {
        return names;
      }
      int exponents = Integer.compare(b.getValue(), a.getValue());
      if (exponents != 0) {
        return exponents;
      }
    }
    return Integer.compare(powers.size(), other.powers.size());
  }

  private int degree() {
    return powers.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Appends this times a coefficient other than 0 as a further term of a sum. */
  void appendTo(StringBuilder sum, Rational coefficient) {
    boolean negative = coefficient.numerator().signum() < 0;
    if (sum.length() > 0) {
      sum.append(negative ? " - " : " + ");
    } else if (negative) {
      sum.append('-');
    }
    sum.append(print(negative ? coefficient.times(Rational.of(-1)) : coefficient));
  }

  /** The product as text, led by a coefficient: {@code 2*batch*seq/tp}. */
  String print(Rational coefficient) {
    StringBuilder over = new StringBuilder();
    StringBuilder under = new StringBuilder();
    powers.forEach(
        (symbol, power) -> {
          StringBuilder side = power > 0 ? over.append('*') : under.append('/');
          side.append(symbol.name());
          if (Math.abs(power) > 1) {
            side.append('^').append(Math.abs(power));
          }
        });
    boolean bare = coefficient.numerator().equals(BigInteger.ONE) && over.length() > 0;
    String head = bare ? over.substring(1) : coefficient.numerator() + over.toString();
    return head + (coefficient.isInteger() ? "" : "/" + coefficient.denominator()) + under;
  }
}
