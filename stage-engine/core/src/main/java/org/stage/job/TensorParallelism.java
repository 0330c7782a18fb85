package org.stage.job;

/**
 * How tensor parallelism splits what stands between its products.
 *
 * @param sequenceParallel whether norms and residuals are sharded along the sequence over {@code
 *     tp}
 * @param embeddingOutput how the embedding leaves its vocabulary shards under sequence parallelism
 * @param keepsGathered whether what is gathered of inputs stays for backward, instead of being
 *     gathered again for weight gradients
 * @param singlePrecision whether activations are sent in 32-bit floats, whatever the precision of
 *     the job
 * @param weightGradients where gradients of weights stand
 * @param wholeLatents whether latent vectors of attention are made of whole sequences on each rank
 * @param paddedVocab the vocabulary, padded as the framework pads it
 */
public record TensorParallelism(
    boolean sequenceParallel,
    EmbeddingOutput embeddingOutput,
    boolean keepsGathered,
    boolean singlePrecision,
    WeightGradients weightGradients,
    boolean wholeLatents,
    int paddedVocab) {
  /** Where the gradients of a product's weights stand beside those of its input. */
  public enum WeightGradients {
    /** Behind the collective that reduces the input's gradient, and beside it. */
    OVERLAP,
    /** Directly behind the product that makes the input's gradient, before it is reduced. */
    INLINE
  }

  /** How partial embeddings become whole. */
  public enum EmbeddingOutput {
    /** Whole on every tensor-parallel rank. */
    ALL_REDUCE,
    /** Straight into sequence shards. */
    REDUCE_SCATTER
  }
}
