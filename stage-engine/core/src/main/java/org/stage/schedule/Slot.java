package org.stage.schedule;

/**
 * One turn of a pipeline stage: the forward or the backward pass of one micro-batch.
 *
 * @param forward whether forward
 * @param microBatch index of the micro-batch
 */
public record Slot(boolean forward, int microBatch) {
  /** {@code F3} or {@code B3}. */
  @Override
  public String toString() {
    return (forward ? "F" : "B") + microBatch;
  }
}
