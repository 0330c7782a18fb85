package org.stage.spec;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.stage.api.workload.Precision;
import org.stage.schedule.Pipeline;

/**
 * The training step, as asked for.
 *
 * @param globalBatch sequences per step over the whole job
 * @param microBatch sequences per micro-batch and data-parallel rank
 * @param microBatches micro-batches per step and data-parallel rank
 * @param seq tokens per sequence
 * @param precision data types
 * @param quantized whether layers multiply by their weights in 8 bits
 * @param sequenceParallel whether norms and residuals are sharded along the sequence over {@code
 *     tp}
 * @param schedule order of micro-batches in the pipeline
 * @param virtualStages chunks of layers on each pipeline rank in the interleaved schedule, else 1
 * @param layersPerStage decoder layers of each pipeline stage, or virtual stage where there are
 *     several on a rank; sums to the model's layers
 * @param flashAttention whether scores are computed again in backward instead of kept
 * @param contextParallel how context-parallel ranks exchange keys and values
 * @param causalFlops whether only half of the score and value products count
 * @param embeddingOutput how the embedding leaves its vocabulary shards under sequence parallelism
 * @param dropout whether to train with dropout, where the model's kind has it
 * @param recompute what is computed again in backward instead of kept
 * @param recomputed the modules that are, where they are listed
 * @param experts how experts are split, and how many rows they have
 * @param optimizer the optimizer
 * @param sharding how optimizer states, gradients and parameters are sharded over data parallelism
 * @param paddedVocab the vocabulary, padded as the framework pads it
 * @param clipsGradients whether gradients are clipped by the norm of all of them
 * @param conventions what frameworks do differently where tensors are gathered
 * @param offload what lies in host memory while it is not used
 * @param gatesInActivation whether gates weigh in the experts' activation function
 */
public record Training(
    long globalBatch,
    int microBatch,
    int microBatches,
    int seq,
    Precision precision,
    boolean quantized,
    boolean sequenceParallel,
    ScheduleKind schedule,
    int virtualStages,
    List<Integer> layersPerStage,
    boolean flashAttention,
    ContextParallel contextParallel,
    boolean causalFlops,
    EmbeddingOutput embeddingOutput,
    boolean dropout,
    Recompute recompute,
    RecomputedModules recomputed,
    ExpertStrategy experts,
    OptimizerKind optimizer,
    Sharding sharding,
    int paddedVocab,
    boolean clipsGradients,
    Conventions conventions,
    Offload offload,
    boolean gatesInActivation) {
  /** Copies the list. */
  public Training {
    layersPerStage = List.copyOf(layersPerStage);
  }

  /** Its pipeline of {@code stages} ranks. */
  public Pipeline pipeline(int stages) {
    return new Pipeline(schedule, stages, virtualStages, microBatches);
  }

  /** The same step, all of whose activations are kept. */
  Training withoutRecomputation() {
    return new Training(
        globalBatch,
        microBatch,
        microBatches,
        seq,
        precision,
        quantized,
        sequenceParallel,
        schedule,
        virtualStages,
        layersPerStage,
        flashAttention,
        contextParallel,
        causalFlops,
        embeddingOutput,
        dropout,
        Recompute.NONE,
        RecomputedModules.NONE,
        experts,
        optimizer,
        sharding,
        paddedVocab,
        clipsGradients,
        conventions,
        offload,
        gatesInActivation);
  }

  /**
   * ZeRO (arXiv 1910.02054).
   *
   * @param zero 0 nothing, 1 optimizer states, 2 also gradients, 3 also parameters
   * @param group data- and context-parallel ranks that share one copy; a divisor of their number
   * @param prefetch modules whose parameters are gathered ahead under stage 3
   * @param bucketMb most 10^6 bytes of gradients that go in one collective; 0 without bound
   */
  public record Sharding(int zero, int group, int prefetch, int bucketMb) {}

  /** Pipeline schedules. */
  public enum ScheduleKind {
    /** All forwards, then all backwards (Huang et al., arXiv 1811.06965). */
    GPIPE,
    /** One forward, one backward in turn after a warm-up (PipeDream-flush, arXiv 2104.04473). */
    ONE_F_ONE_B,
    /** Chunks of layers in turn on each rank (Narayanan et al., arXiv 2104.04473). */
    INTERLEAVED,
    /** Gradients of weights fill gaps: ZB-H1 (Qi et al., arXiv 2401.10241). */
    ZERO_BUBBLE,
    /** Micro-batches from both ends (DeepSeek-V3 report, arXiv 2412.19437). */
    DUALPIPE;

    private static final Map<String, ScheduleKind> BY_TEXT =
        Map.of(
            "gpipe", GPIPE,
            "1f1b", ONE_F_ONE_B,
            "interleaved", INTERLEAVED,
            "zero-bubble", ZERO_BUBBLE,
            "dualpipe", DUALPIPE);

    /** The schedule that files call {@code text}, which is one of them. */
    static ScheduleKind ofText(String text) {
      return Objects.requireNonNull(BY_TEXT.get(text));
    }

    /** The word of files: {@code zero-bubble}. */
    public String text() {
      return this == ONE_F_ONE_B ? "1f1b" : name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** How partial embeddings become whole; {@code auto} is resolved by the reader. */
  public enum EmbeddingOutput {
    /** Whole on every tensor-parallel rank. */
    ALL_REDUCE,
    /** Straight into sequence shards. */
    REDUCE_SCATTER
  }

  /** How context-parallel ranks, each with a part of every sequence, attend to whole sequences. */
  public enum ContextParallel {
    /** Gathers keys and values. */
    ALL_GATHER,
    /** Passes keys and values from rank to rank (ring attention, arXiv 2310.01889). */
    RING,
    /** Exchanges parts of the sequence for heads (DeepSpeed-Ulysses, arXiv 2309.14509). */
    ULYSSES
  }

  /** What a layer computes again in backward (Korthikanti et al., arXiv 2205.05198). */
  public enum Recompute {
    /** Nothing. */
    NONE,
    /** The attention core: what works on scores. */
    SELECTIVE,
    /** The whole layer, from its input. */
    FULL,
    /** Modules that are listed, each from its inputs. */
    MODULES
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

  /** Optimizers. */
  public enum OptimizerKind {
    /** Adam with two moments and a master copy in 32-bit floats. */
    ADAM,
    /** Plain gradient descent. */
    SGD
  }
}
