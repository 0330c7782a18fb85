package org.stage.instantiate;

import org.stage.api.workload.Ids;

/**
 * A parameter on a device while a graph is built: its tensor, and the newest state of its gradient.
 */
final class Parameter {
  private final String name;
  private final int tensor;
  private int gradientNode = -1;
  private int gradientTensor = -1;
  private int version;

  Parameter(String name, int tensor) {
    this.name = name;
    this.tensor = tensor;
  }

  int tensor() {
    return tensor;
  }

  /** The node that wrote the gradient last, or -1. */
  int gradientNode() {
    return gradientNode;
  }

  /** The gradient as it is now, if there is one. */
  Ids gradient() {
    return gradientTensor < 0 ? Ids.NONE : Ids.of(gradientTensor);
  }

  /** Writes a new version of the gradient; the first is {@code #1}. */
  int accumulate(GraphWriter graph, int node, long bytes) {
    version++;
    gradientNode = node;
    gradientTensor = graph.tensor(name + ".grad#" + version, bytes);
    return gradientTensor;
  }
}
