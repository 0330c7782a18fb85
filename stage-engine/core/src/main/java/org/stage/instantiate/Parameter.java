package org.stage.instantiate;

import org.stage.api.workload.Ids;

/**
 * A parameter on a device while a graph is built: where it is, and the newest state of its
 * gradient.
 */
final class Parameter {
  private final String name;
  private Handle at;
  private int gradientNode = -1;
  private int gradientTensor = -1;
  private int version;

  Parameter(String name, int tensor) {
    this.name = name;
    this.at = new Handle(-1, tensor);
  }

  /** The parameter as kernels read it. */
  Handle at() {
    return at;
  }

  /** Kernels read it from a gathered buffer now. */
  void gathered(Handle buffer) {
    at = buffer;
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

  /** The gradient has been scattered: the next micro-batch starts a new one. */
  void scattered() {
    gradientNode = -1;
    gradientTensor = -1;
  }
}
