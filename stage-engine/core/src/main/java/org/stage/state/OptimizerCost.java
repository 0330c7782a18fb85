package org.stage.state;

import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Precision;
import org.stage.api.workload.TensorType;
import org.stage.arithmetic.Sums;
import org.stage.job.Optimizer;

/**
 * The update of one module's parameters, in one kernel.
 *
 * @param operator {@code adam} or {@code sgd}
 * @param otherFlops operations: 12 an element for Adam (two moments, two corrections, root,
 *     quotient, step), 2 for plain descent
 * @param reads gradient, master copy, moments
 * @param writes master copy, moments, and the weights where they are of another precision
 * @param stateBytes optimizer states: moments, and the master copy where the weights are not fp32
 */
public record OptimizerCost(
    String operator,
    long otherFlops,
    List<TensorType> reads,
    List<TensorType> writes,
    long stateBytes) {
  /** Copies the lists. */
  public OptimizerCost {
    reads = List.copyOf(reads);
    writes = List.copyOf(writes);
  }

  /** The cost for {@code elements} parameters. */
  public static OptimizerCost of(Optimizer.Kind kind, Precision precision, long elements) {
    boolean adam = kind == Optimizer.Kind.ADAM;
    boolean mixed = precision.weights() != DataType.FP32;
    TensorType single = TensorType.vector(elements, DataType.FP32);
    List<TensorType> states = Collections.nCopies(adam ? 3 : 1, single);
    TensorType gradient = TensorType.vector(elements, precision.gradients());
    TensorType weight = TensorType.vector(elements, precision.weights());
    return new OptimizerCost(
        adam ? "adam" : "sgd",
        Math.multiplyExact(elements, adam ? 12 : 2),
        Stream.concat(Stream.of(gradient), states.stream()).toList(),
        mixed ? Stream.concat(states.stream(), Stream.of(weight)).toList() : states,
        Math.multiplyExact(states.size() - (mixed ? 0L : 1L), single.bytes()));
  }

  /** Optimizer states as one tensor. */
  public TensorType states() {
    return TensorType.vector(stateBytes / DataType.FP32.bytes(), DataType.FP32);
  }

  /** Bytes read. */
  public long bytesRead() {
    return Sums.of(reads.stream().mapToLong(TensorType::bytes));
  }

  /** Bytes written. */
  public long bytesWritten() {
    return Sums.of(writes.stream().mapToLong(TensorType::bytes));
  }
}
