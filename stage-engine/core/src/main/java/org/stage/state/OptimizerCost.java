package org.stage.state;

import org.stage.api.workload.DataType;
import org.stage.api.workload.Precision;
import org.stage.job.Optimizer;

/**
 * The update of one module's parameters, in one kernel.
 *
 * @param operator {@code adam} or {@code sgd}
 * @param otherFlops operations: 12 an element for Adam (two moments, two corrections, root,
 *     quotient, step), 2 for plain descent
 * @param bytesRead gradient, master copy, moments
 * @param bytesWritten master copy, moments, and the weights where they are of another precision
 * @param stateBytes optimizer states: moments, and the master copy where the weights are not fp32
 */
public record OptimizerCost(
    String operator, long otherFlops, long bytesRead, long bytesWritten, long stateBytes) {
  /** The cost for {@code elements} parameters. */
  public static OptimizerCost of(Optimizer.Kind kind, Precision precision, long elements) {
    boolean adam = kind == Optimizer.Kind.ADAM;
    long single = DataType.FP32.bytes();
    long moments = adam ? 2 * single : 0;
    boolean mixed = precision.weights() != DataType.FP32;
    long weights = mixed ? precision.weights().bytes() : 0;
    return new OptimizerCost(
        adam ? "adam" : "sgd",
        Math.multiplyExact(elements, adam ? 12 : 2),
        Math.multiplyExact(elements, precision.gradients().bytes() + single + moments),
        Math.multiplyExact(elements, single + moments + weights),
        Math.multiplyExact(elements, moments + (mixed ? single : 0)));
  }
}
