package org.stage.instantiate;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The collectives on a module's gradients and parameters, by when they run.
 *
 * @param eachBackward after every backward pass: gradients of one micro-batch into the shard
 * @param lastBackward after the last backward pass of a step
 * @param beforeForward gathers the parameters for a forward pass
 * @param beforeBackward gathers the parameters again for a backward pass
 * @param afterUpdate gathers the updated parameters
 * @param shard elements that this rank updates: all it holds, or its shard of them
 * @param accumulates whether each backward pass adds its shard to that of those before
 */
public record Exchange(
    List<Sync> eachBackward,
    List<Sync> lastBackward,
    Optional<Sync> beforeForward,
    Optional<Sync> beforeBackward,
    Optional<Sync> afterUpdate,
    long shard,
    boolean accumulates) {
  /** Copies the lists. */
  public Exchange {
    eachBackward = List.copyOf(eachBackward);
    lastBackward = List.copyOf(lastBackward);
  }

  /** Collectives of every micro-batch. */
  public List<Sync> perMicroBatch() {
    return Stream.concat(
            Stream.of(beforeForward, beforeBackward).flatMap(Optional::stream),
            eachBackward.stream())
        .toList();
  }

  /** Collectives of every step. */
  public List<Sync> perStep() {
    return Stream.concat(lastBackward.stream(), afterUpdate.stream()).toList();
  }
}
