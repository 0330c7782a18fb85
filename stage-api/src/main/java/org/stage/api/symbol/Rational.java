package org.stage.api.symbol;

import java.math.BigInteger;

/**
 * An exact fraction in lowest terms with a positive denominator; the coefficient of an {@link
 * Expr}.
 *
 * @param numerator any integer
 * @param denominator not zero; the constructor makes it positive and coprime to the numerator
 */
public record Rational(BigInteger numerator, BigInteger denominator)
    implements Comparable<Rational> {
  /** The fraction 0/1. */
  public static final Rational ZERO = of(0);

  /** The fraction 1/1. */
  public static final Rational ONE = of(1);

  /**
   * Reduces to lowest terms.
   *
   * @throws ArithmeticException if the denominator is zero
   */
  public Rational {
    if (denominator.signum() == 0) {
      throw new ArithmeticException("division by zero");
    }
    BigInteger divisor = numerator.gcd(denominator);
    if (denominator.signum() < 0) {
      divisor = divisor.negate();
    }
    if (!divisor.equals(BigInteger.ONE)) {
      numerator = numerator.divide(divisor);
      denominator = denominator.divide(divisor);
    }
  }

  /** The integer {@code value} as a fraction. */
  public static Rational of(long value) {
    return new Rational(BigInteger.valueOf(value), BigInteger.ONE);
  }

  /**
   * The fraction {@code numerator / denominator}, reduced.
   *
   * @throws ArithmeticException if {@code denominator} is zero
   */
  public static Rational of(long numerator, long denominator) {
    return new Rational(BigInteger.valueOf(numerator), BigInteger.valueOf(denominator));
  }

  /** The sum of both. */
  public Rational plus(Rational other) {
    return new Rational(
        numerator.multiply(other.denominator).add(other.numerator.multiply(denominator)),
        denominator.multiply(other.denominator));
  }

  /** The product of both. */
  public Rational times(Rational other) {
    return new Rational(
        numerator.multiply(other.numerator), denominator.multiply(other.denominator));
  }

  /**
   * This to an integer power; 1 if {@code exponent} is 0.
   *
   * @throws ArithmeticException if {@code exponent} is negative and this is zero
   */
  public Rational power(int exponent) {
    return exponent >= 0
        ? new Rational(numerator.pow(exponent), denominator.pow(exponent))
        : new Rational(denominator.pow(-exponent), numerator.pow(-exponent));
  }

  /** The smallest integer that is not below this: 2 for {@code 3/2}, -1 for {@code -3/2}. */
  public Rational ceil() {
    BigInteger[] quotient = numerator.divideAndRemainder(denominator);
    boolean up = quotient[1].signum() > 0;
    return new Rational(up ? quotient[0].add(BigInteger.ONE) : quotient[0], BigInteger.ONE);
  }

  /** Whether this is zero. */
  public boolean isZero() {
    return numerator.signum() == 0;
  }

  /** Whether the denominator is one. */
  public boolean isInteger() {
    return denominator.equals(BigInteger.ONE);
  }

  /** By size. */
  @Override
  public int compareTo(Rational other) {
    return numerator.multiply(other.denominator).compareTo(other.numerator.multiply(denominator));
  }

  /** {@code 3}, {@code -3} or {@code 3/2}. */
  @Override
  public String toString() {
    return isInteger() ? numerator.toString() : numerator + "/" + denominator;
  }
}
