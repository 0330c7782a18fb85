package org.stage.backend.scalesim.format;

/**
 * A matrix product {@code [m,k] x [k,n]}.
 *
 * @param m rows of the result
 * @param n columns of the result
 * @param k length of the contraction
 */
public record Gemm(long m, long n, long k) {
  /**
   * Checks the sizes.
   *
   * @throws IllegalArgumentException if one is below 1: SCALE-Sim stops on it
   */
  public Gemm {
    if (m < 1 || n < 1 || k < 1) {
      throw new IllegalArgumentException("a product of " + m + " x " + n + " x " + k);
    }
  }

  /**
   * FLOPs, one multiply-add being 2.
   *
   * @throws ArithmeticException if they do not fit 63 bits
   */
  public long flops() {
    return Math.multiplyExact(Math.multiplyExact(Math.multiplyExact(2, m), n), k);
  }

  /**
   * Elements of the largest of its three matrices.
   *
   * @throws ArithmeticException if they do not fit 63 bits
   */
  public long largestMatrix() {
    long inputs = Math.max(Math.multiplyExact(m, k), Math.multiplyExact(k, n));
    return Math.max(inputs, Math.multiplyExact(m, n));
  }
}
