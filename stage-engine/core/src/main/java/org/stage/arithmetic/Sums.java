package org.stage.arithmetic;

import java.util.Collection;
import java.util.stream.LongStream;

/** Exact sums of bytes, elements, operations and times. */
public final class Sums {
  private Sums() {}

  /**
   * The sum.
   *
   * @throws ArithmeticException if it, or a sum on the way, does not fit 63 bits
   */
  public static long of(LongStream numbers) {
    return numbers.reduce(0, Math::addExact);
  }

  /** The same of boxed numbers. */
  public static long of(Collection<Long> numbers) {
    return of(numbers.stream().mapToLong(Long::longValue));
  }
}
