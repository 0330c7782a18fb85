package org.stage.schedule;

import org.stage.arithmetic.Sums;

/**
 * How long the passes of one micro-batch through a chunk take, the same for all of them, in any
 * unit. A whole backward pass takes as long as its two parts, an overlapped pair as long as both of
 * its passes: equal costs count work, and what overlaps is communication, which is not counted.
 *
 * @param forward the forward pass
 * @param inputGradients the part of a backward pass that the stage before waits for
 * @param weightGradients the rest of it
 */
public record Costs(long forward, long inputGradients, long weightGradients) {
  /** A backward pass takes twice as long as a forward pass, and half of it for each part. */
  public static final Costs EQUAL = new Costs(1, 1, 1);

  /** A whole backward pass. */
  public long backward() {
    return Math.addExact(inputGradients, weightGradients);
  }

  /** All passes of one micro-batch through a chunk. */
  public long all() {
    return Math.addExact(forward, backward());
  }

  long of(Turn turn) {
    return Sums.of(turn.slots().stream().mapToLong(this::of));
  }

  private long of(Slot slot) {
    return switch (slot.pass()) {
      case FORWARD -> forward;
      case BACKWARD -> backward();
      case INPUT_GRADIENTS -> inputGradients;
      case WEIGHT_GRADIENTS -> weightGradients;
    };
  }
}
