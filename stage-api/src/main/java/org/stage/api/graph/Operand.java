package org.stage.api.graph;

import java.util.List;

/**
 * A tensor as one operator sees it: dimension by dimension, under the operator's own axis names. An
 * operator that works on whole sequences names {@code seq} where the producer said {@code
 * norm_seq}; the difference in sharding between the two is what a collective bridges.
 *
 * @param tensor the tensor's name
 * @param axes one logical axis for each dimension
 */
public record Operand(String tensor, List<String> axes) {
  /** Copies the list. */
  public Operand {
    axes = List.copyOf(axes);
  }

  /** As in the textual form: {@code x[batch, seq]}. */
  @Override
  public String toString() {
    return tensor + axes;
  }
}
