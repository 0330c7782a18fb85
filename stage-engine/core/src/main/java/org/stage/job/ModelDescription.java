package org.stage.job;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A decoder-only transformer in numbers: what the keys of a preset, of a workload file or of an
 * importer say, completed by the conventions of its family.
 *
 * @param name as people write it, for example {@code llama-3.1-8b}
 * @param layers number of decoder layers
 * @param hidden width of the residual stream, elements
 * @param heads query heads
 * @param kvHeads key/value heads; divides {@code heads}
 * @param headDim width of a head, elements
 * @param ffn inner width of the feed-forward network, elements
 * @param vocab vocabulary, unpadded
 * @param positions rows of the learned position table; 0 with rotary positions
 * @param norm kind of normalisation
 * @param activation kind of feed-forward network
 * @param bias whether projections have biases (and layer norms theirs)
 * @param qkvBias whether the query, key and value projections have biases; implied by {@code bias}
 * @param tied whether the head shares the embedding's table
 * @param parallelBlock whether attention and feed-forward read one norm and are added (PaLM)
 * @param experts the mixture of experts that takes the place of the feed-forward network, if there
 *     is one
 * @param latent the latent attention that takes the place of grouped-query attention, if there is
 *     one; then {@code kvHeads} is {@code heads}, and {@code headDim} the width of a query
 * @param qkNorm whether queries and keys are normalised, head by head
 */
public record ModelDescription(
    String name,
    int layers,
    int hidden,
    int heads,
    int kvHeads,
    int headDim,
    int ffn,
    int vocab,
    int positions,
    Norm norm,
    Activation activation,
    boolean bias,
    boolean qkvBias,
    boolean tied,
    boolean parallelBlock,
    Optional<Experts> experts,
    Optional<Latent> latent,
    boolean qkNorm) {

  /** Kind of normalisation. */
  public enum Norm {
    /** Mean and variance, with a weight (and a bias where the model has biases). */
    LAYERNORM,
    /** Root mean square, with a weight. */
    RMSNORM
  }

  /** Kind of feed-forward network. */
  public enum Activation {
    /** Two matrices with a GELU between. */
    GELU,
    /** Three matrices: {@code silu(gate) * up}, then down. */
    SWIGLU
  }

  /**
   * A mixture of experts, each a SwiGLU network.
   *
   * @param count routed experts in a layer
   * @param perToken routed experts that a token meets
   * @param ffn inner width of an expert, elements
   * @param shared experts that every token meets, of the same width
   * @param denseLayers first layers that have the dense network instead
   * @param choiceBias whether the router has a bias for each expert that balances which are chosen:
   *     a parameter that no gradient trains (DeepSeek-V3, arXiv 2412.19437, section 2.1.2)
   */
  public record Experts(
      int count, int perToken, int ffn, int shared, int denseLayers, boolean choiceBias) {}

  /**
   * Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434): keys and values are made from a
   * latent vector of each token, queries from another.
   *
   * @param queries width of the latent vector of queries; 0 if they are made from the residual
   *     stream
   * @param keysAndValues width of the latent vector of keys and values
   * @param plain width of that part of a head's queries and keys that is not rotated
   * @param rotary width of the rotated part, whose keys all heads share
   * @param values width of a head's values
   */
  public record Latent(int queries, int keysAndValues, int plain, int rotary, int values) {}

  /** Layers that have experts. */
  public int expertLayers() {
    return experts.map(e -> layers - e.denseLayers()).orElse(0);
  }

  /** Requires a name; numbers are checked by the reader, which knows the line they stand on. */
  public ModelDescription {
    Objects.requireNonNull(name);
  }

  /**
   * Whether models of its kind are trained with dropout: those of GPT's, with biased layer norms.
   */
  public boolean hasDropout() {
    return norm == Norm.LAYERNORM && bias;
  }

  /** Values of the size symbols that the module library uses, of the whole model. */
  public Map<String, Long> sizes() {
    Map<String, Long> sizes = new HashMap<>();
    sizes.put("embed", (long) hidden);
    sizes.put("heads", (long) heads);
    sizes.put("kv_heads", (long) kvHeads);
    sizes.put("head_dim", (long) headDim);
    sizes.put("mlp", (long) ffn);
    sizes.put("positions", (long) positions);
    experts.ifPresent(
        e -> {
          sizes.put("experts", (long) e.count());
          sizes.put("expert_mlp", (long) e.ffn());
          sizes.put("shared_mlp", (long) e.shared() * e.ffn());
        });
    latent.ifPresent(
        l -> {
          sizes.put("q_latent", (long) l.queries());
          sizes.put("kv_latent", (long) l.keysAndValues());
          sizes.put("plain_dim", (long) l.plain());
          sizes.put("rotary_dim", (long) l.rotary());
          sizes.put("value_dim", (long) l.values());
        });
    return sizes;
  }
}
