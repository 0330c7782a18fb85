package org.stage.job;

/**
 * How gradients are added up over the ranks that hold copies of a parameter.
 *
 * @param when at which time of a step, where they are not added up in every micro-batch
 * @param bucket most elements in one collective; 0 without bound
 * @param allReduces whether gradients of which a rank keeps a shard are reduced whole on all ranks
 *     nevertheless, as DeepSpeed does
 */
public record GradientReduction(When when, long bucket, boolean allReduces) {
  /** At which time of a step. */
  public enum When {
    /** Behind all passes: nothing is computed meanwhile. */
    AT_END,
    /**
     * As Megatron-LM overlaps: on the first stage as soon as a collective's gradients are complete,
     * behind it when the last backward pass is done.
     */
    FIRST_STAGE_AT_ONCE,
    /** On every stage as soon as a collective's gradients are complete. */
    AT_ONCE;

    /** Whether backward passes go on meanwhile. */
    public boolean overlaps() {
      return this != AT_END;
    }
  }
}
