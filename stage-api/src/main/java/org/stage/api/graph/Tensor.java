package org.stage.api.graph;

import java.util.List;

/**
 * A tensor of a module, of one micro-batch over the whole job.
 *
 * @param name unique in its module
 * @param axes the logical axes of its dimensions as its producer names them, outermost first
 * @param element what its elements stand for
 */
public record Tensor(String name, List<String> axes, Element element) {
  /** Copies the list. */
  public Tensor {
    axes = List.copyOf(axes);
  }

  /** Name and axes, as in the textual form: {@code q[batch, seq, heads, head_dim]}. */
  @Override
  public String toString() {
    return name + axes;
  }
}
