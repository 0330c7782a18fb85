package org.stage.plugin.huggingface;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A family whose models are the graph that the engine builds.
 *
 * @param modelType its name in a configuration
 * @param architecture the class of its language model
 * @param naming under which keys it writes its sizes
 * @param sizes what holds where a configuration does not say it
 * @param shape what it always is, whatever a configuration says
 * @param demands keys whose other values would make another graph
 * @param parts what its layers have beside or instead of grouped-query attention and a feed-forward
 *     network
 */
record Family(
    String modelType,
    String architecture,
    Naming naming,
    Sizes sizes,
    Shape shape,
    List<Demand> demands,
    Parts parts) {

  Family(
      String modelType,
      String architecture,
      Naming naming,
      Sizes sizes,
      Shape shape,
      List<Demand> demands) {
    this(modelType, architecture, naming, sizes, shape, demands, Parts.NONE);
  }

  /** Activation functions that are the two matrices with a GELU between. */
  private static final List<String> GELU =
      List.of("gelu", "gelu_new", "gelu_fast", "gelu_python", "gelu_pytorch_tanh");

  private static final List<String> SILU = List.of("silu", "swish");

  /** Which projections have biases. */
  enum Biases {
    /** None. */
    NONE,
    /** All, as {@code attention_bias} and {@code mlp_bias} say together. */
    BY_KEYS,
    /** Those that make queries, keys and values. */
    QKV,
    /** All. */
    ALL
  }

  /**
   * Defaults of the sizes.
   *
   * @param kvHeads 0: as many as heads
   * @param ffn 0: four times the width of the model
   * @param positions 0: rotary positions
   */
  record Sizes(int layers, int hidden, int heads, int kvHeads, int ffn, int vocab, int positions) {}

  /**
   * What all models of a family have in common.
   *
   * @param family the nearest family of the workload file, {@code model.family}
   * @param norm kind of normalisation, {@code model.norm}
   * @param activation kind of feed-forward network, {@code model.activation}
   * @param function default of the activation function
   * @param biases which projections have biases
   * @param tied default of {@code tie_word_embeddings}
   * @param parallelBlock whether attention and feed-forward read one norm
   */
  record Shape(
      String family,
      String norm,
      String activation,
      String function,
      Biases biases,
      boolean tied,
      boolean parallelBlock) {

    Shape with(String other) {
      return new Shape(family, norm, activation, other, biases, tied, parallelBlock);
    }

    Shape with(Biases other) {
      return new Shape(family, norm, activation, function, other, tied, parallelBlock);
    }
  }

  /**
   * What layers have beside the usual.
   *
   * @param experts experts instead of the feed-forward network
   * @param latent whether attention is latent
   * @param qkNorm whether queries and keys are normalised, head by head
   * @param headDim default width of a head; 0: width of the model over heads
   */
  record Parts(Mixture experts, boolean latent, boolean qkNorm, int headDim) {
    static final Parts NONE = new Parts(Mixture.NONE, false, false, 0);
  }

  /**
   * A key that must have one value, which is also its default.
   *
   * @param key the key
   * @param value the value as it is written
   * @param otherwise what any other value would need
   */
  record Demand(String key, String value, String otherwise) {}

  /** The family called {@code modelType}. */
  static Optional<Family> of(String modelType) {
    return Families.ALL.stream().filter(family -> family.modelType.equals(modelType)).findFirst();
  }

  /** The family whose language model has the class {@code architecture}. */
  static Optional<Family> ofArchitecture(String architecture) {
    return Families.ALL.stream().filter(family -> family.builds(architecture)).findFirst();
  }

  /** The names of all, for a message. */
  static String available() {
    return Families.ALL.stream()
        .map(Family::modelType)
        .collect(Collectors.joining(", ", "Available: ", "."));
  }

  /** Whether {@code architecture} is its language model; early files differ in capitals. */
  boolean builds(String architecture) {
    return this.architecture.toLowerCase(Locale.ROOT).equals(architecture.toLowerCase(Locale.ROOT));
  }

  /** The activation functions that are its kind of feed-forward network. */
  List<String> functions() {
    return isUngated() ? GELU : SILU;
  }

  /** Whether its feed-forward network is two matrices, without a gate. */
  boolean isUngated() {
    return shape.activation.equals("gelu");
  }

  /** Whether a {@code sliding_window} holds unless another key switches it off, or only if on. */
  boolean usesItsWindow() {
    return shape.biases != Biases.QKV && !parts.qkNorm;
  }

  /** Whether its model is without the layers for multi-token prediction that its weights have. */
  boolean leavesOutPrediction() {
    return parts.experts().keys() == Mixture.Keys.DEEPSEEK_V3;
  }
}
