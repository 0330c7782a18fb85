package org.stage.api.workload;

import java.util.ArrayList;
import java.util.List;

/**
 * The size of a tensor on one rank.
 *
 * @param dims its dimensions in elements, outermost first; empty of a scalar. Dimensions of which a
 *     rank's part is no whole number, such as unevenly routed rows of several experts, are one
 *     together
 * @param type data type of an element
 */
public record TensorType(List<Long> dims, DataType type) {
  /**
   * Copies the list.
   *
   * @throws IllegalArgumentException if a dimension is negative
   */
  public TensorType {
    dims = List.copyOf(dims);
    for (long dim : dims) {
      if (dim < 0) {
        throw new IllegalArgumentException("a tensor of " + dims + " has a negative dimension");
      }
    }
  }

  /** One dimension of {@code elements}. */
  public static TensorType vector(long elements, DataType type) {
    return new TensorType(List.of(elements), type);
  }

  /** So many bytes of which no more is known. */
  public static TensorType ofBytes(long bytes) {
    return vector(bytes, DataType.BYTE);
  }

  /**
   * Number of elements.
   *
   * @throws ArithmeticException if it does not fit 63 bits
   */
  public long elements() {
    long elements = 1;
    for (long dim : dims) {
      elements = Math.multiplyExact(elements, dim);
    }
    return elements;
  }

  /**
   * Bytes of all elements.
   *
   * @throws ArithmeticException if they do not fit 63 bits
   */
  public long bytes() {
    return type.bytes(elements());
  }

  /** For example {@code 4x128xbf16}; of a scalar {@code fp32}. */
  @Override
  public String toString() {
    List<String> parts = new ArrayList<>();
    dims.forEach(dim -> parts.add(Long.toString(dim)));
    parts.add(type.text());
    return String.join("x", parts);
  }
}
