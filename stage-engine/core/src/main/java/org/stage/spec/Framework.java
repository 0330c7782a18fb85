package org.stage.spec;

import java.util.Locale;
import org.stage.spec.Conventions.Regather;

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
    return valueOf(values.word("framework").toUpperCase(Locale.ROOT));
  }

  /** The vocabulary is padded to a multiple of this on each tensor-parallel rank. */
  int vocabMultiple() {
    return vocabMultiple;
  }

  /** Whether norms and residuals are sharded along the sequence over {@code tp} ranks. */
  boolean sequenceParallel(int tp) {
    return tp > 1 && this != MEGATRON;
  }

  /**
   * What is not said of the traffic of tensor parallelism and of FSDP.
   *
   * @param zero the ZeRO stage: torchtitan's mixed precision comes with FSDP
   */
  Conventions conventions(int zero) {
    boolean torch = this == TORCHTITAN;
    return new Conventions(torch ? Regather.NOT_HEAD : Regather.LAYERS, torch, torch && zero < 3);
  }
}
