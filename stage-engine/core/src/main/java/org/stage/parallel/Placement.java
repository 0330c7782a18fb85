package org.stage.parallel;

/**
 * Where one mesh axis puts a tensor: split along a dimension, whole on each device, or as parts.
 */
public sealed interface Placement {
  /** The whole tensor on each device. */
  Placement REPLICATE = new Replicate();

  /**
   * Each device holds an equal part of a dimension, in mesh order.
   *
   * @param dimension index into the tensor's axes
   */
  record Shard(int dimension) implements Placement {}

  /** Each device holds the whole tensor. */
  record Replicate() implements Placement {}

  /**
   * Each device holds a summand; the tensor is their sum, or maximum (GSPMD, arXiv 2105.04663,
   * section 3.1).
   *
   * @param maximum whether the maximum is meant
   */
  record Partial(boolean maximum) implements Placement {}
}
