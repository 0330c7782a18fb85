package org.stage.api.workload;

import org.stage.api.graph.Element;

/**
 * Which data type each kind of element has in a job.
 *
 * @param weights parameters, as the matrix products read them
 * @param activations activations and their gradients
 * @param gradients accumulated gradients of parameters and their reduction
 */
public record Precision(DataType weights, DataType activations, DataType gradients) {
  /** The data type of {@code element}. */
  public DataType of(Element element) {
    return switch (element) {
      case WEIGHT -> weights;
      case ACTIVATION -> activations;
      case GRADIENT -> gradients;
      case QUANTIZED -> DataType.FP8;
      case STATISTIC -> DataType.FP32;
      case INDEX -> DataType.INT64;
      case MASK -> DataType.BOOL;
    };
  }
}
