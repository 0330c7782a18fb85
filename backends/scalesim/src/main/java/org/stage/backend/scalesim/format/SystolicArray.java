package org.stage.backend.scalesim.format;

/**
 * One systolic array, which is what one run of SCALE-Sim simulates.
 *
 * @param height rows of processing elements
 * @param width columns of processing elements
 * @param dataflow which operand stays
 */
public record SystolicArray(int height, int width, Dataflow dataflow) {
  /** Bytes that SCALE-Sim keeps for a cycle and an edge of the array, measured on v2. */
  private static final long BYTES_PER_CYCLE_AND_EDGE = 28;

  /**
   * The compute cycles that SCALE-Sim reports for {@code gemm} without stalls. Equal to v2 and v3
   * in CALC mode on all shapes tried; v3 counts prefetching apart.
   *
   * @throws ArithmeticException if they do not fit 63 bits
   */
  public long cycles(Gemm gemm) {
    long folds = dataflow.folds(gemm, height, width);
    return Math.multiplyExact(folds, dataflow.perFold(gemm, height, width)) - 1;
  }

  /** About how much memory SCALE-Sim takes to simulate {@code gemm}, bytes. */
  public double simulatorBytes(Gemm gemm) {
    return (double) cycles(gemm) * (height + 2L * width) * BYTES_PER_CYCLE_AND_EDGE;
  }
}
