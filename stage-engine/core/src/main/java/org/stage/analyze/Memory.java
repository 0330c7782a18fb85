package org.stage.analyze;

/**
 * Device memory at one moment, bytes; of a class of ranks at the peak of a step. The parts add up
 * to the peak.
 *
 * @param parameters weights, or this rank's shard of them
 * @param gradients accumulated gradients, or this rank's shard
 * @param optimizer optimizer states: moments and master copies
 * @param activations what the micro-batches in flight keep for their backward passes, and what the
 *     running kernel's module has alive
 * @param workspace buffers beside these: gathered parameters and whole gradients under ZeRO, and
 *     the weight-gradient placeholders of fused gradient accumulation
 */
public record Memory(
    long parameters, long gradients, long optimizer, long activations, long workspace) {
  /** The same with what comes and goes. */
  Memory with(long moreActivations, long moreWorkspace) {
    return new Memory(
        parameters,
        gradients,
        optimizer,
        Math.addExact(activations, moreActivations),
        Math.addExact(workspace, moreWorkspace));
  }

  /** The sum of the parts. */
  public long peak() {
    long states = Math.addExact(Math.addExact(parameters, gradients), optimizer);
    return Math.addExact(states, Math.addExact(activations, workspace));
  }
}
