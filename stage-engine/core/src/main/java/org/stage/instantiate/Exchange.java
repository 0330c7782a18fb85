package org.stage.instantiate;

import java.util.List;
import java.util.stream.Stream;

/**
 * The collectives on a module's gradients and parameters, by when they run.
 *
 * @param eachBackward after every backward pass: gradients of one micro-batch into the shard
 * @param lastBackward after the last backward pass of a step
 * @param beforeForward gather the parameters for a forward pass
 * @param beforeBackward gather the parameters again for a backward pass
 * @param afterUpdate gather the updated parameters
 * @param shard elements that this rank updates: all it holds, or its shard of them
 * @param accumulates whether each backward pass adds its shards to those of the passes before
 */
public record Exchange(
    List<Sync> eachBackward,
    List<Sync> lastBackward,
    List<Sync> beforeForward,
    List<Sync> beforeBackward,
    List<Sync> afterUpdate,
    long shard,
    boolean accumulates) {
  /** Copies the lists. */
  public Exchange {
    eachBackward = List.copyOf(eachBackward);
    lastBackward = List.copyOf(lastBackward);
    beforeForward = List.copyOf(beforeForward);
    beforeBackward = List.copyOf(beforeBackward);
    afterUpdate = List.copyOf(afterUpdate);
  }

  /** Collectives of every micro-batch. */
  public List<Sync> perMicroBatch() {
    return Stream.of(beforeForward, beforeBackward, eachBackward).flatMap(List::stream).toList();
  }

  /** Collectives of every step. */
  public List<Sync> perStep() {
    return Stream.of(lastBackward, afterUpdate).flatMap(List::stream).toList();
  }

  /** Whether the parameters are gathered once, and stay for the backward pass. */
  public boolean keepsGathered() {
    return !beforeForward.isEmpty() && beforeBackward.isEmpty();
  }
}
