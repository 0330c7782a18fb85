package org.stage.workloadfile;

import org.stage.api.workload.DataType;
import org.stage.api.workload.Mesh;
import org.stage.job.ContextParallelism;
import org.stage.job.GradientReduction.When;
import org.stage.job.StateSharding.Regather;
import org.stage.job.TensorParallelism.WeightGradients;

/**
 * Whose conventions fill what a workload file does not say. The same strategy sends different bytes
 * under different frameworks; each convention has a key that overrides it.
 */
enum Framework {
  /** Megatron-LM, core 0.9. */
  MEGATRON(128),
  /** Megatron-Bridge: Megatron's, but data parallelism overlaps. */
  MEGATRON_BRIDGE(128),
  /** NeMo 24.07: Megatron's, with sequence parallelism wherever there is tensor parallelism. */
  NEMO(128),
  /** torchtitan: sequence parallelism always, inputs kept gathered, mixed precision by FSDP. */
  TORCHTITAN(1),
  /** DeepSpeed: its engine for ZeRO, and its pipeline. */
  DEEPSPEED(1);

  /** DeepSpeed's {@code reduce_bucket_size}. */
  private static final long DEEPSPEED_BUCKET = 500_000_000L;

  /** DeepSpeed's {@code stage3_param_persistence_threshold}. */
  private static final long DEEPSPEED_PERSISTENT = 100_000L;

  /** Megatron-Bridge's {@code bucket_size}. */
  private static final long BRIDGE_BUCKET = 128L << 20;

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
    return tp > 1 && (this == NEMO || this == TORCHTITAN);
  }

  /** Which modules' parameters ZeRO-3 gathers again for backward. */
  Regather regather() {
    return this == TORCHTITAN || this == DEEPSPEED ? Regather.NOT_HEAD : Regather.LAYERS;
  }

  /** Whether what tensor parallelism gathers of inputs stays for backward. */
  boolean keepsGathered() {
    return this == TORCHTITAN;
  }

  /**
   * Whether attention and experts gather their input once under sequence parallelism, and make
   * latent vectors, gates and rows of it on each rank, instead of gathering what they make.
   */
  boolean gathersOnce() {
    return this == TORCHTITAN;
  }

  /** Whether gradients are clipped: by 1.0 in all but DeepSpeed. */
  boolean clipsGradients() {
    return this != DEEPSPEED;
  }

  /** Whether the norm of gradients is summed over ranks a tensor of parameters apart. */
  boolean sumsNormsByTensor() {
    return this == TORCHTITAN;
  }

  /**
   * How context parallelism exchanges keys and values: Megatron's {@code --cp-comm-type} is {@code
   * p2p}, which needs flash attention; torchtitan gathers.
   */
  ContextParallelism context(boolean flash) {
    boolean gathers = this == TORCHTITAN || this == DEEPSPEED || !flash;
    return gathers ? ContextParallelism.ALL_GATHER : ContextParallelism.RING;
  }

  /** Whether gradients stay in the type of the weights: Megatron forces 32 bits for bf16 alone. */
  boolean keepsGradients(DataType weights) {
    return this != TORCHTITAN && this != DEEPSPEED && weights == DataType.FP16;
  }

  /**
   * Whether tensor parallelism sends activations in 32-bit floats.
   *
   * @param zero the ZeRO stage: torchtitan's mixed precision comes with FSDP
   */
  boolean singlePrecision(int zero) {
    return this == TORCHTITAN && zero < 3;
  }

  /** Where weight gradients stand: eager torchtitan makes both gradients of a product at once. */
  WeightGradients weightGradients() {
    return this == TORCHTITAN || this == DEEPSPEED
        ? WeightGradients.INLINE
        : WeightGradients.OVERLAP;
  }

  /** Whether gradients are reduced while backward passes go on. */
  boolean overlapsGradients(int zero, Mesh mesh) {
    return overlaps(zero, mesh, 2);
  }

  /** Whether parameters are gathered while modules compute. */
  boolean overlapsParameters(int zero, Mesh mesh) {
    return overlaps(zero, mesh, 3);
  }

  /**
   * Megatron's distributed optimizer overlaps when it is told to, its FSDP always.
   *
   * @param fsdp the ZeRO stage from which on it is FSDP that works
   */
  private boolean overlaps(int zero, Mesh mesh, int fsdp) {
    return switch (this) {
      case MEGATRON, NEMO -> zero >= fsdp;
      case MEGATRON_BRIDGE -> zero >= fsdp || mesh.degree("dp") * mesh.degree("ep") > 1;
      case TORCHTITAN -> true;
      case DEEPSPEED -> zero == 3;
    };
  }

  /** How gradients are reduced where that overlaps. */
  When overlap() {
    return this == TORCHTITAN || this == DEEPSPEED ? When.AT_ONCE : When.FIRST_STAGE_AT_ONCE;
  }

  /** Most elements of gradients in one collective; 0 without bound. */
  long bucket(boolean overlaps, Mesh mesh) {
    return switch (this) {
      case MEGATRON, NEMO -> overlaps ? Math.max(40, mesh.degree("dp")) * 1_000_000L : 0;
      case MEGATRON_BRIDGE -> overlaps ? BRIDGE_BUCKET : 0;
      case TORCHTITAN -> 0;
      case DEEPSPEED -> DEEPSPEED_BUCKET;
    };
  }

  /** Whether gradients that are sharded afterwards are reduced whole. */
  boolean reducesWhole(int zero) {
    return this == DEEPSPEED && (zero == 1 || zero == 2);
  }

  /** Parameters of fewer elements stay whole under ZeRO-3. */
  long persistent(int zero) {
    return this == DEEPSPEED && zero == 3 ? DEEPSPEED_PERSISTENT : 0;
  }

  /** Whether gradients and parameters are sharded where there is a pipeline. */
  boolean shardsGradientsOfPipelines() {
    return this != DEEPSPEED;
  }
}
