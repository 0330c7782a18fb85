package org.stage.sim.cost;

import java.util.Optional;
import org.stage.api.graph.OperatorKind;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Hardware;

/**
 * How long a kernel takes at least on a device (Williams, Waterman and Patterson, CACM 52(4),
 * 2009): as long as the slowest of its matrix products, its other operations and its transfers to
 * and from memory takes at the device's peak. The three proceed side by side.
 *
 * <p>Matrix and attention products run at the peak of the data type of the activations, but those
 * on operands of 8 bits at that of 8-bit floats; all other operations at that of 32-bit floats, in
 * which norms, softmax and optimizers compute. Real kernels are slower: a bound, not a measurement.
 *
 * @param matrixTflops peak of matrix products, 10^12 FLOP/s
 * @param scaledTflops that of products on operands of 8 bits
 * @param vectorTflops peak of other operations, 10^12 operations a second
 * @param memoryGbPerS memory bandwidth, 10^9 bytes a second
 */
public record Roofline(
    double matrixTflops, double scaledTflops, double vectorTflops, double memoryGbPerS)
    implements DeviceModel {
  private static final String SCALED = OperatorKind.SCALED_EINSUM.text();

  /** A device that is no faster with 8 bits. */
  public Roofline(double matrixTflops, double vectorTflops, double memoryGbPerS) {
    this(matrixTflops, matrixTflops, vectorTflops, memoryGbPerS);
  }

  /**
   * Checks the figures.
   *
   * @throws IllegalArgumentException if one is not above 0
   */
  public Roofline {
    if (!(matrixTflops > 0 && scaledTflops > 0 && vectorTflops > 0 && memoryGbPerS > 0)) {
      throw new IllegalArgumentException(
          "a device of "
              + matrixTflops
              + " and "
              + vectorTflops
              + " TFLOP/s and "
              + memoryGbPerS
              + " GB/s computes nothing");
    }
  }

  /**
   * The roofline of {@code hardware} for products of {@code type}; empty if its peak at that type
   * is not known. Where the peak of 32-bit floats is not known, that of the products stands in for
   * it, which leaves other operations to the memory; likewise that of 8-bit floats.
   */
  static Optional<Roofline> of(Hardware hardware, DataType type) {
    Double matrix = hardware.peakTflops().get(type.text());
    if (matrix == null) {
      return Optional.empty();
    }
    double vector = hardware.peakTflops().getOrDefault(DataType.FP32.text(), matrix);
    double scaled = hardware.peakTflops().getOrDefault(DataType.FP8.text(), matrix);
    return Optional.of(new Roofline(matrix, scaled, vector, hardware.memoryGbPerS()));
  }

  /** The least duration of {@code kernel}, nanoseconds. */
  @Override
  public double nanoseconds(Kernel kernel) {
    double peak = kernel.operator().equals(SCALED) ? scaledTflops : matrixTflops;
    return Math.max(
        Math.max(kernel.flops() / (peak * 1e3), kernel.otherFlops() / (vectorTflops * 1e3)),
        kernel.bytes() / memoryGbPerS);
  }
}
