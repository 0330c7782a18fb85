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
  /** The whole of {@code axis}. */
  public static SubAxis whole(MeshAxis axis) {
    return new SubAxis(axis.name(), 1, axis.degree());
  }

  /**
   * The name of the axis, or {@code tp:(2)4} for a part; {@code degree} is that of the whole axis.
   */
  public String text(int degree) {
    return size == degree ? axis : axis + ":(" + pre + ")" + size;
  }
}
