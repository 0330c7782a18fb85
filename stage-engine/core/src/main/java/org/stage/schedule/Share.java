package org.stage.schedule;

import java.math.BigInteger;

/**
 * A part of a whole, exactly, in lowest terms.
 *
 * @param part from 0
 * @param whole above 0
 */
public record Share(long part, long whole) {
  /** Brings it to lowest terms. */
  public Share {
    if (part < 0 || whole <= 0) {
      throw new IllegalArgumentException(part + " of " + whole);
    }
    long common = BigInteger.valueOf(part).gcd(BigInteger.valueOf(whole)).longValueExact();
    part /= common;
    whole /= common;
  }

  /** The nearest decimal. */
  public double decimal() {
    return (double) part / whole;
  }

  /** {@code 3/11}. */
  @Override
  public String toString() {
    return part + "/" + whole;
  }
}
