package org.stage.emit;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.stage.api.workload.TensorType;
import org.stage.operator.GradientNames;

/**
 * A parameter on a device while a graph is built: where it is, and the newest state of its
 * gradient.
 */
final class Parameter {
  private final String name;
  private final TensorType type;
  private TensorRef at;
  private @Nullable TensorRef gradient;
  private boolean isInShard;
  private int version;

  Parameter(String name, TensorType type, TensorRef at) {
    this.name = name;
    this.type = type;
    this.at = at;
  }

  /** Its dimensions on this device. */
  TensorType type() {
    return type;
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
  TensorRef accumulate(GraphWriter graph, TensorType type) {
    version++;
    isInShard = false;
    gradient = graph.written(GradientNames.of(name) + "#" + version, type);
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
