package org.stage.calibrate;

import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.workload.MatrixShape;
import org.stage.sim.cost.Kernel;

/**
 * One piece of work of a job as one device does it, in the words of profiles.
 *
 * @param name its name inside its module
 * @param kind what sort of work it is
 * @param operator what the engine calls it: {@code einsum}
 * @param backward whether it belongs to a backward pass
 * @param size its size
 * @param cost what it costs by count
 * @param perStep how often a device does it in a step
 */
record ProfileWork(
    String name, Kind kind, String operator, boolean backward, Size size, Cost cost, long perStep) {
  /**
   * What a profile can tell of a size.
   *
   * @param shape its matrix products
   * @param type data type of its elements; empty if not known
   * @param typeBytes bytes of an element
   * @param elements elements of the tensors that it reads; 0 if not known
   * @param addedBytes of a product bytes of what is added to it, a bias or a gradient; 0 if nothing
   * @param moved of communication what is moved
   */
  record Size(
      MatrixShape shape, String type, int typeBytes, long elements, long addedBytes, Moved moved) {
    /** Bytes of an element of the widest type: a bias is no larger than a row of such. */
    private static final long WIDEST = 8;

    static Size ofComputation(MatrixShape shape, String type, int typeBytes, long elements) {
      return new Size(shape, type, typeBytes, elements, 0, Moved.NOTHING);
    }

    static Size ofTransfer(String type, int typeBytes, long elements, int groupSize, int span) {
      long bytes = Math.multiplyExact(elements, (long) typeBytes);
      Moved moved = new Moved(bytes, groupSize, span);
      return new Size(MatrixShape.NONE, type, typeBytes, elements, 0, moved);
    }

    /** The same product with so many bytes added to it. */
    Size adding(long bytes) {
      return new Size(shape, type, typeBytes, elements, bytes, moved);
    }

    /** The input of this rank, bytes. */
    long bytes() {
      return moved.bytes();
    }

    int groupSize() {
      return moved.groupSize();
    }

    /** Whether what is added is a row, the same for all rows of the product. */
    boolean addsBias() {
      return addedBytes > 0 && addedBytes <= WIDEST * shape.n();
    }

    boolean hasProducts() {
      return !shape.equals(MatrixShape.NONE);
    }
  }

  /**
   * What a collective or a message moves.
   *
   * @param bytes this rank's input
   * @param groupSize ranks that take part
   * @param span how far apart the first and the last of them are, themselves included; 0 if not
   *     known
   */
  record Moved(long bytes, int groupSize, int span) {
    static final Moved NOTHING = new Moved(0, 0, 0);
  }

  /**
   * What the engine counts, for estimates.
   *
   * @param flops FLOPs of matrix and attention products
   * @param otherFlops other operations
   * @param bytes bytes read and written
   */
  record Cost(long flops, long otherFlops, long bytes) {
    static final Cost NONE = new Cost(0, 0, 0);
  }

  /** By what its duration is known, as {@link org.stage.state.Action#key}. */
  String key() {
    return kind.isCommunication() ? name + "#" + size.elements() : name;
  }

  /** It as a device is given it. */
  Kernel kernel() {
    return new Kernel(
        operator,
        size.shape(),
        (double) cost.flops(),
        (double) cost.otherFlops(),
        (double) cost.bytes());
  }

  /** The forward pass of what this is the backward pass of, as far as both are of one size. */
  ProfileWork forward() {
    return new ProfileWork(name, kind, operator, false, size, cost, perStep);
  }

  /** FLOPs and bytes by which it is compared with what was measured. */
  Extent extent() {
    return Extent.of(kind, backward, size);
  }
}
