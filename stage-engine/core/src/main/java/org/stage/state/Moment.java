package org.stage.state;

import org.stage.api.workload.Phase;

/** When something is done in a step, and so how often: passes of a micro-batch, then the end. */
public enum Moment {
  /** Before the first forward pass of a module in a step. */
  BEFORE_FIRST_FORWARD(Phase.FORWARD),
  /** Before a module's forward pass. */
  BEFORE_FORWARD(Phase.FORWARD),
  /** A forward pass. */
  FORWARD(Phase.FORWARD),
  /** Behind a module's forward pass. */
  AFTER_FORWARD(Phase.FORWARD),
  /** Before a module's backward pass. */
  BEFORE_BACKWARD(Phase.BACKWARD),
  /** What of the forward pass runs again, before its result is needed. */
  RECOMPUTATION(Phase.RECOMPUTE),
  /** The part of a backward pass that the module before waits for. */
  INPUT_GRADIENTS(Phase.BACKWARD),
  /** The rest of a backward pass. */
  WEIGHT_GRADIENTS(Phase.BACKWARD),
  /** When a micro-batch's gradients of a module are complete. */
  AFTER_BACKWARD(Phase.BACKWARD),
  /** The same, while nothing is computed. */
  AFTER_BACKWARD_ALONE(Phase.BACKWARD),
  /** The same for all micro-batches but the first. */
  AFTER_LATER_BACKWARD(Phase.BACKWARD),
  /** When the last micro-batch's gradients of a module are complete. */
  AFTER_LAST_BACKWARD(Phase.BACKWARD),
  /** When the last micro-batch's gradients of a whole chunk are complete. */
  AFTER_LAST_PASS(Phase.BACKWARD),
  /** Behind all passes. */
  AFTER_PASSES(Phase.BACKWARD),
  /** When gradients are reduced over replicas: inside a replica, and between stages. */
  AFTER_REDUCTION(Phase.BACKWARD),
  /** When all gradients are complete: their norm. */
  NORM(Phase.OPTIMIZER),
  /** The update of the parameters. */
  UPDATE(Phase.OPTIMIZER),
  /** Behind it. */
  AFTER_UPDATE(Phase.OPTIMIZER);

  private final Phase phase;

  Moment(Phase phase) {
    this.phase = phase;
  }

  /** The phase of the step that it is part of. */
  public Phase phase() {
    return phase;
  }

  /** Whether it comes with micro-batches, whose numbers stand in names. */
  public boolean isOfMicroBatches() {
    return this != BEFORE_FIRST_FORWARD && compareTo(AFTER_LATER_BACKWARD) <= 0;
  }

  /** Whether nothing is computed meanwhile. */
  public boolean isAlone() {
    return this == AFTER_BACKWARD_ALONE || this == AFTER_PASSES || this == AFTER_REDUCTION;
  }

  /** Whether parameters that are gathered then stay whole until the next update. */
  boolean isBetweenSteps() {
    return this == BEFORE_FIRST_FORWARD || this == AFTER_UPDATE;
  }

  /** How often it comes in a step of {@code microBatches} through its module. */
  public long times(long microBatches) {
    return !isOfMicroBatches() ? 1 : this == AFTER_LATER_BACKWARD ? microBatches - 1 : microBatches;
  }

  /** Whether it comes with a micro-batch, of those from {@code first} to {@code last}. */
  public boolean comesWith(int microBatch, int first, int last) {
    return switch (this) {
      case BEFORE_FIRST_FORWARD -> microBatch == first;
      case AFTER_LATER_BACKWARD -> microBatch > first;
      case AFTER_LAST_BACKWARD -> microBatch == last;
      default -> true;
    };
  }
}
