package org.stage.api.workload;

/**
 * The shape of the matrix products in a kernel: {@code batch} products of {@code [m,k] x [k,n]};
 * for attention, {@code batch} heads of {@code m} queries against {@code n} keys of width {@code k}
 * and values of width {@code values}. On this rank.
 *
 * @param batch independent products
 * @param m rows of the result
 * @param n columns of the result
 * @param k length of the contraction
 * @param values width of the values in attention, which latent attention makes narrower than keys;
 *     of other products {@code k}
 */
public record MatrixShape(long batch, long m, long n, long k, long values) {
  /** No matrix product. */
  public static final MatrixShape NONE = new MatrixShape(0, 0, 0, 0);

  /** A product, or attention whose values are as wide as its keys. */
  public MatrixShape(long batch, long m, long n, long k) {
    this(batch, m, n, k, k);
  }

  /** For example {@code 1x8192x4096x1024}; with narrower values {@code 16x4096x4096x192/128}. */
  @Override
  public String toString() {
    return batch + "x" + m + "x" + n + "x" + k + (values == k ? "" : "/" + values);
  }
}
