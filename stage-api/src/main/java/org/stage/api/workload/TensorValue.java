package org.stage.api.workload;

/**
 * A tensor that nodes of an execution graph read or write, written once at most. Accumulations are
 * versioned: {@code layers.0.mlp.up.weight.grad#2} is written by the node that reads {@code #1}.
 * Parameters and optimizer states are there at the start.
 *
 * @param name unique in its graph
 * @param type its dimensions on this rank, and the data type of its elements
 */
public record TensorValue(String name, TensorType type) {
  /** A tensor of which only its bytes are known. */
  public TensorValue(String name, long bytes) {
    this(name, TensorType.ofBytes(bytes));
  }

  /**
   * Bytes of it on this rank.
   *
   * @throws ArithmeticException if they do not fit 63 bits
   */
  public long bytes() {
    return type.bytes();
  }
}
