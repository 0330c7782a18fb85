package org.stage.job;

/**
 * A training step: forward and backward passes of all micro-batches, and the optimizer's update.
 *
 * @param batch sequences and micro-batches
 * @param numerics data types
 * @param kernels how layers compute what the model says
 * @param checkpointing what is computed again in backward instead of kept
 * @param offload what lies in host memory while it is not used
 * @param sharding how optimizer states, gradients and parameters are sharded over data parallelism
 * @param optimizer the update
 */
public record Training(
    Batch batch,
    Numerics numerics,
    LayerKernels kernels,
    ActivationCheckpointing checkpointing,
    Offload offload,
    StateSharding sharding,
    Optimizer optimizer)
    implements JobStep {

  Training with(ActivationCheckpointing other) {
    return new Training(batch, numerics, kernels, other, offload, sharding, optimizer);
  }

  /** What is moved to host memory, and back when it is needed. */
  public enum Offload {
    /** Nothing. */
    NONE,
    /** Optimizer states (ZeRO-Offload, arXiv 2101.06840, with the update left on the device). */
    OPTIMIZER,
    /** What layers keep for their backward passes. */
    ACTIVATIONS
  }
}
