package org.stage.api.workload;

/**
 * The shape of the matrix products in a kernel: {@code batch} products of {@code [m,k] x [k,n]};
 * for attention, {@code batch} heads of {@code m} queries against {@code n} keys of width {@code
 * k}. On this rank.
 *
 * @param batch independent products
 * @param m rows of the result
 * @param n columns of the result
 * @param k length of the contraction
 */
public record MatrixShape(long batch, long m, long n, long k) {
  /** No matrix product. */
  public static final MatrixShape NONE = new MatrixShape(0, 0, 0, 0);

  /** For example {@code 1x8192x4096x1024}. */
  @Override
  public String toString() {
    return batch + "x" + m + "x" + n + "x" + k;
  }
}
