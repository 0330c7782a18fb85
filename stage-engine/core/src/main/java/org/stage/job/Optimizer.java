package org.stage.job;

/**
 * How parameters are updated.
 *
 * @param kind the optimizer
 * @param clipsGradients whether gradients are clipped by the norm of all of them
 */
public record Optimizer(Kind kind, boolean clipsGradients) {
  /** Optimizers. */
  public enum Kind {
    /** Adam with two moments and a master copy in 32-bit floats. */
    ADAM,
    /** Plain gradient descent. */
    SGD
  }
}
