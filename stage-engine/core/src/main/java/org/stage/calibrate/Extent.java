package org.stage.calibrate;

import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.workload.MatrixShape;

/**
 * How large a piece of work is, by what profiles tell of it, so that measured and modelled work are
 * counted alike. Only ratios matter.
 *
 * @param flops FLOPs of its matrix products; 0 if it has none
 * @param bytes bytes that it touches; 0 if not known
 */
record Extent(double flops, double bytes) {
  /**
   * Counts.
   *
   * <p>A product of {@code [m,k] x [k,n]} makes {@code 2mnk} FLOPs and touches both operands and
   * the result, which is of the type of a gradient that it is added to, and then read too. Flash
   * attention makes two products forward and five backward (arXiv 2205.14135, appendix B), and
   * touches queries, keys, values and result, twice as much backward. A causal mask is not counted:
   * profiles do not always tell, and both sides of a ratio have it. All else touches what it reads.
   */
  static Extent of(Kind kind, boolean backward, ProfileWork.Size size) {
    MatrixShape shape = size.shape();
    double batch = (double) shape.batch();
    double m = (double) shape.m();
    double n = (double) shape.n();
    double k = (double) shape.k();
    double v = (double) shape.values();
    if (!size.hasProducts()) {
      return new Extent(0, (double) size.elements() * size.typeBytes());
    }
    if (kind == Kind.ATTENTION) {
      double touched = size.typeBytes() * batch * (k + v) * (m + n);
      double widths = backward ? 3 * k + 2 * v : k + v;
      return new Extent(2 * batch * m * n * widths, backward ? 2 * touched : touched);
    }
    double factors = size.typeBytes() * batch * (m * k + k * n);
    double result =
        size.addedBytes() == 0 || size.addsBias()
            ? size.typeBytes() * batch * m * n
            : 2.0 * size.addedBytes();
    return new Extent(2 * batch * m * n * k, factors + result);
  }

  /** FLOPs for each byte; 0 without products. */
  double intensity() {
    return bytes > 0 ? flops / bytes : 0;
  }

  /** Whether nothing is known. */
  boolean isUnknown() {
    return flops == 0 && bytes == 0;
  }

  /** How many times as long this takes as {@code other}, whichever of the two limits it. */
  double over(Extent other) {
    double byBytes = bytes / other.bytes;
    return other.flops > 0 ? Math.max(flops / other.flops, byBytes) : byBytes;
  }

  /** The larger of the distances along the two axes, as a factor of at least 1. */
  double apart(Extent other) {
    return Math.max(factor(flops, other.flops), factor(bytes, other.bytes));
  }

  /** Distance in the plane of the two logarithms. */
  double distance(Extent other) {
    return Math.hypot(Math.log(factor(flops, other.flops)), Math.log(factor(bytes, other.bytes)));
  }

  private static double factor(double a, double b) {
    if (a == b) {
      return 1;
    }
    return a == 0 || b == 0 ? Double.POSITIVE_INFINITY : Math.max(a / b, b / a);
  }
}
