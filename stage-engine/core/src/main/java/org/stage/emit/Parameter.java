package org.stage.emit;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.stage.operator.GradientNames;

/**
 * A parameter on a device while a graph is built: where it is, and the newest state of its
 * gradient.
 */
final class Parameter {
  private final String name;
  private TensorRef at;
  private @Nullable TensorRef gradient;
  private boolean isInShard;
  private int version;

  Parameter(String name, TensorRef at) {
    this.name = name;
    this.at = at;
  }

  /** The parameter as kernels read it. */
  TensorRef at() {
    return at;
  }

  /** Kernels read it from a gathered buffer now. */
  void gathered(TensorRef buffer) {
    at = buffer;
  }

  /** The whole gradient as it is now, if there is one. */
  Optional<TensorRef> gradient() {
    return Optional.ofNullable(gradient);
  }

  /** Whether a shard stands for the gradient, as nothing was added since it was scattered. */
  boolean isInShard() {
    return isInShard;
  }

  /** The next node writes a new version of the gradient; the first is {@code #1}. */
  TensorRef accumulate(GraphWriter graph, long bytes) {
    version++;
    isInShard = false;
    gradient = graph.written(GradientNames.of(name) + "#" + version, bytes);
    return gradient;
  }

  /**
   * The gradient has been scattered.
   *
   * @param freed whether its memory is free, so that the next micro-batch starts a new one
   */
  void scattered(boolean freed) {
    isInShard = true;
    gradient = freed ? null : gradient;
  }
}
