package org.stage.job;

/**
 * How parameters are updated.
 *
 * @param kind the optimizer
 * @param clipsGradients whether gradients are clipped by the norm of all of them
 * @param normsByTensor whether ranks sum the norm of each tensor apart
 */
public record Optimizer(Kind kind, boolean clipsGradients, boolean normsByTensor) {
  /** Optimizers. */
  public enum Kind {
    /** Adam with two moments and a master copy in 32-bit floats. */
    ADAM,
    /** Plain gradient descent. */
    SGD
  }
}
