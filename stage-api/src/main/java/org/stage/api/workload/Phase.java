package org.stage.api.workload;

import java.util.Locale;

/** The part of a training step to which a node belongs. */
public enum Phase {
  /** Forward pass of a micro-batch. */
  FORWARD,
  /** Backward pass of a micro-batch, with the reduction of finished gradients. */
  BACKWARD,
  /** Forward work done again in backward. */
  RECOMPUTE,
  /** Update of the parameters. */
  OPTIMIZER;

  /** The name in files: {@code forward}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
