package org.stage.instantiate;

import java.util.List;
import java.util.function.BiFunction;
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
  /** What the name of a gather for a backward pass has besides. */
  public static final String BACKWARD = ".backward";

  /** What the name of the sum of two micro-batches' shards has besides that of their reduction. */
  public static final String ACCUMULATE = ".accumulate";

  /** Copies the lists. */
  public Exchange {
    eachBackward = List.copyOf(eachBackward);
    lastBackward = List.copyOf(lastBackward);
    beforeForward = List.copyOf(beforeForward);
    beforeBackward = List.copyOf(beforeBackward);
    afterUpdate = List.copyOf(afterUpdate);
  }

  /** The same with each collective changed, which is handed over with its name in the module. */
  public Exchange with(BiFunction<String, Sync, Sync> change) {
    return new Exchange(
        eachBackward.stream().map(sync -> change.apply(reduction(sync), sync)).toList(),
        lastBackward.stream().map(sync -> change.apply(reduction(sync), sync)).toList(),
        beforeForward.stream().map(sync -> change.apply(gather(sync), sync)).toList(),
        beforeBackward.stream().map(sync -> change.apply(gather(sync) + BACKWARD, sync)).toList(),
        afterUpdate.stream().map(sync -> change.apply(gather(sync), sync)).toList(),
        shard,
        accumulates);
  }

  /** The name of a reduction of gradients in its module. */
  public static String reduction(Sync sync) {
    return "grad." + sync.kind().text() + "." + sync.group().axisNames();
  }

  /** The name of a gather of parameters in its module. */
  public static String gather(Sync sync) {
    return buffer(sync) + ".all-gather";
  }

  /** The name of the flat buffer of a gather in its module. */
  static String buffer(Sync sync) {
    return sync.buffer() == 0 ? "parameters" : "expert_parameters";
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
