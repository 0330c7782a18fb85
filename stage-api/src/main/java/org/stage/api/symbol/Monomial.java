package org.stage.api.symbol;

import java.math.BigInteger;
import java.util.Iterator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A product of symbols to non-zero integer powers. The empty product is 1.
 *
 * @param powers exponent by symbol, sorted by symbol
 */
record Monomial(SortedMap<String, Integer> powers) implements Comparable<Monomial> {
  static final Monomial ONE = new Monomial(new TreeMap<>());

  static Monomial of(String symbol, int power) {
    TreeMap<String, Integer> powers = new TreeMap<>();
    powers.put(symbol, power);
    return new Monomial(powers);
  }

  Monomial times(Monomial other) {
    TreeMap<String, Integer> product = new TreeMap<>(powers);
    other.powers.forEach((symbol, power) -> product.merge(symbol, power, Monomial::addExponents));
    return new Monomial(product);
  }

  /** Null for 0, which takes the symbol out of the product. */
  private static @Nullable Integer addExponents(int a, int b) {
    int sum = Math.addExact(a, b);
    return sum == 0 ? null : (Integer) sum;
  }

  Monomial power(int exponent) {
    TreeMap<String, Integer> result = new TreeMap<>();
    if (exponent != 0) {
      powers.forEach((symbol, power) -> result.put(symbol, Math.multiplyExact(power, exponent)));
    }
    return new Monomial(result);
  }

  /** Higher total degree first, then by name: the order in which a paper would write the terms. */
  @Override
  public int compareTo(Monomial other) {
    int degrees = Integer.compare(other.degree(), degree());
    if (degrees != 0) {
      return degrees;
    }
    Iterator<Map.Entry<String, Integer>> mine = powers.entrySet().iterator();
    Iterator<Map.Entry<String, Integer>> theirs = other.powers.entrySet().iterator();
    while (mine.hasNext() && theirs.hasNext()) {
      Map.Entry<String, Integer> a = mine.next();
      Map.Entry<String, Integer> b = theirs.next();
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

  /** The product as text, led by a coefficient: {@code 2*batch*seq/tp}. */
  String print(Rational coefficient) {
    StringBuilder over = new StringBuilder();
    StringBuilder under = new StringBuilder();
    powers.forEach(
        (symbol, power) -> {
          StringBuilder side = power > 0 ? over.append('*') : under.append('/');
          side.append(symbol);
          if (Math.abs(power) > 1) {
            side.append('^').append(Math.abs(power));
          }
        });
    boolean bare = coefficient.numerator().equals(BigInteger.ONE) && over.length() > 0;
    String head = bare ? over.substring(1) : coefficient.numerator() + over.toString();
    return head + (coefficient.isInteger() ? "" : "/" + coefficient.denominator()) + under;
  }
}
