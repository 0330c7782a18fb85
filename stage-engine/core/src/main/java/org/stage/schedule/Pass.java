package org.stage.schedule;

/** What a stage does with a micro-batch in one turn. */
public enum Pass {
  /** The forward pass. */
  FORWARD("F"),
  /** The whole backward pass. */
  BACKWARD("B"),
  /** The part of a backward pass that the stage before waits for: gradients of activations. */
  INPUT_GRADIENTS("I"),
  /** The rest of a backward pass, which nobody waits for: gradients of weights. */
  WEIGHT_GRADIENTS("W");

  private final String letter;

  Pass(String letter) {
    this.letter = letter;
  }

  /** {@code F}, {@code B}, {@code I} or {@code W}. */
  public String letter() {
    return letter;
  }

  /** Whether it hands a gradient to the stage before. */
  public boolean isBackward() {
    return this == BACKWARD || this == INPUT_GRADIENTS;
  }

  /** Whether gradients of weights are complete after it. */
  public boolean completes() {
    return this == BACKWARD || this == WEIGHT_GRADIENTS;
  }
}
