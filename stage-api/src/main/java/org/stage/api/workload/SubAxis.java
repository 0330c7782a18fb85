package org.stage.api.workload;

/**
 * A whole mesh axis, or a part of one: the axis seen as a product of factors, of which this is one
 * (Shardy's {@code "x":(pre)size}). On an axis of degree {@code d}, a device at coordinate {@code
 * c} stands at {@code c / (d / (pre * size)) % size}.
 *
 * @param axis the mesh axis
 * @param pre product of the factors outside (before) this one
 * @param size degree of this factor
 */
public record SubAxis(String axis, int pre, int size) {
  /**
   * Checks the factors.
   *
   * @throws IllegalArgumentException if one is below 1
   */
  public SubAxis {
    if (pre < 1 || size < 1) {
      throw new IllegalArgumentException(axis + ":(" + pre + ")" + size + " has a factor below 1");
    }
  }

  /** The whole of {@code axis}. */
  public static SubAxis whole(MeshAxis axis) {
    return new SubAxis(axis.name(), 1, axis.degree());
  }

  /** Whether both are parts of one axis and share a factor of it. A part of size 1 has none. */
  public boolean overlaps(SubAxis other) {
    return axis.equals(other.axis)
        && size > 1
        && other.size > 1
        && pre < (long) other.pre * other.size
        && other.pre < (long) pre * size;
  }

  /**
   * The name of the axis, or {@code tp:(2)4} for a part; {@code degree} is that of the whole axis.
   */
  public String text(int degree) {
    return size == degree ? axis : axis + ":(" + pre + ")" + size;
  }
}
