package org.stage.workloadfile;

import org.stage.job.StateSharding.Regather;

/**
 * Whose conventions fill what a workload file does not say. The same strategy sends different bytes
 * under different frameworks; each convention has a key that overrides it.
 */
enum Framework {
  /** Megatron-LM, core 0.9. */
  MEGATRON(128),
  /** NeMo 24.07: Megatron's, with sequence parallelism wherever there is tensor parallelism. */
  NEMO(128),
  /** torchtitan: sequence parallelism always, inputs kept gathered, mixed precision by FSDP. */
  TORCHTITAN(1);

  private final int vocabMultiple;

  Framework(int vocabMultiple) {
    this.vocabMultiple = vocabMultiple;
  }

  static Framework of(Values values) {
    return values.constant("framework", Framework.class);
  }

  /** The vocabulary is padded to a multiple of this on each tensor-parallel rank. */
  int vocabMultiple() {
    return vocabMultiple;
  }

  /** Whether norms and residuals are sharded along the sequence over {@code tp} ranks. */
  boolean sequenceParallel(int tp) {
    return tp > 1 && this != MEGATRON;
  }

  /** Which modules' parameters ZeRO-3 gathers again for backward. */
  Regather regather() {
    return this == TORCHTITAN ? Regather.NOT_HEAD : Regather.LAYERS;
  }

  /** Whether what tensor parallelism gathers of inputs stays for backward. */
  boolean keepsGathered() {
    return this == TORCHTITAN;
  }

  /**
   * Whether tensor parallelism sends activations in 32-bit floats.
   *
   * @param zero the ZeRO stage: torchtitan's mixed precision comes with FSDP
   */
  boolean singlePrecision(int zero) {
    return this == TORCHTITAN && zero < 3;
  }
}
