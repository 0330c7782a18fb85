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
   * @param bytes of a collective this rank's input
   * @param groupSize of a collective the ranks that take part, else 0
   */
  record Size(
      MatrixShape shape, String type, int typeBytes, long elements, long bytes, int groupSize) {
    static Size ofTransfer(String type, int typeBytes, long elements, int groupSize) {
      long bytes = Math.multiplyExact(elements, (long) typeBytes);
      return new Size(MatrixShape.NONE, type, typeBytes, elements, bytes, groupSize);
    }

    boolean hasProducts() {
      return !shape.equals(MatrixShape.NONE);
    }
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

  /** FLOPs and bytes by which it is compared with what was measured. */
  Extent extent() {
    return Extent.of(kind, backward, size);
  }
}
