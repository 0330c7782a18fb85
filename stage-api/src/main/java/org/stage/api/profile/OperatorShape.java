package org.stage.api.profile;

import java.util.Objects;
import org.stage.api.workload.MatrixShape;

/**
 * The sizes of an operator on this rank, as far as a profile says.
 *
 * @param matrix the matrix products in it; {@link MatrixShape#NONE} if it has none, or the profile
 *     does not say
 * @param causal of attention whether a query sees earlier keys only
 * @param elements elements of the tensors that it reads; 0 if the profile does not say
 * @param width of a norm the elements that are normalised together; else 0
 * @param addedBytes of matrix products bytes of what is added to the result: a bias, or a gradient
 *     that grows; 0 if nothing is, or the profile does not say
 */
public record OperatorShape(
    MatrixShape matrix, boolean causal, long elements, long width, long addedBytes) {
  /** Nothing is known. */
  public static final OperatorShape UNKNOWN = new OperatorShape(MatrixShape.NONE, false, 0, 0);

  /**
   * Checks the sizes.
   *
   * @throws IllegalArgumentException if one is negative
   */
  public OperatorShape {
    Objects.requireNonNull(matrix);
    if (elements < 0 || width < 0 || addedBytes < 0) {
      throw new IllegalArgumentException(
          elements + " elements in rows of " + width + ", and " + addedBytes + " bytes added");
    }
  }

  /** With nothing that is added to the result. */
  public OperatorShape(MatrixShape matrix, boolean causal, long elements, long width) {
    this(matrix, causal, elements, width, 0);
  }

  /** Of matrix products. */
  public static OperatorShape of(MatrixShape matrix) {
    return new OperatorShape(matrix, false, 0, 0);
  }

  /** Of work on {@code elements} elements. */
  public static OperatorShape ofElements(long elements) {
    return new OperatorShape(MatrixShape.NONE, false, elements, 0);
  }
}
