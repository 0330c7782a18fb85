package org.stage.plugin.huggingface;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.stage.api.model.ModelDescription.Activation;
import org.stage.api.model.ModelDescription.Experts;
import org.stage.api.model.ModelDescription.Norm;

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

  private static final Demand NO_ATTENTION_BIAS =
      new Demand("attention_bias", "false", "biases on the projections of attention alone");

  private static final Shape LLAMA_SHAPE =
      new Shape(Norm.RMSNORM, Activation.SWIGLU, "silu", Biases.NONE, false, false);

  private static final Shape GPT2_SHAPE =
      new Shape(Norm.LAYERNORM, Activation.GELU, "gelu_new", Biases.ALL, true, false);

  private static final Sizes DEEPSEEK_V3 = new Sizes(61, 7168, 128, 128, 18432, 129280, 0);

  private static final Experts DEEPSEEK_V3_EXPERTS = new Experts(256, 8, 2048, 1, 3);

  /** The families there are, by name. */
  static final List<Family> ALL =
      List.of(
          cohere(),
          deepseek(
              "deepseek",
              "DeepseekForCausalLM",
              new Sizes(30, 4096, 32, 0, 11008, 102400, 0),
              Mixture.Keys.DEEPSEEK,
              new Experts(0, 0, 1407, 0, 0)),
          deepseek(
              "deepseek_v2",
              "DeepseekV2ForCausalLM",
              new Sizes(32, 4096, 32, 0, 11008, 32000, 0),
              Mixture.Keys.DEEPSEEK,
              new Experts(64, 0, 1407, 2, 0)),
          deepseek(
              "deepseek_v3",
              "DeepseekV3ForCausalLM",
              DEEPSEEK_V3,
              Mixture.Keys.DEEPSEEK_V3,
              DEEPSEEK_V3_EXPERTS),
          new Family(
              "gpt2",
              "GPT2LMHeadModel",
              Naming.GPT2,
              new Sizes(12, 768, 12, 0, 0, 50257, 1024),
              GPT2_SHAPE,
              List.of()),
          new Family(
              "gpt_bigcode",
              "GPTBigCodeForCausalLM",
              Naming.GPT2,
              new Sizes(12, 768, 12, 1, 0, 50257, 1024),
              GPT2_SHAPE.with("gelu_pytorch_tanh"),
              List.of()),
          deepseek(
              "kimi_k2",
              "DeepseekV3ForCausalLM",
              DEEPSEEK_V3,
              Mixture.Keys.DEEPSEEK_V3,
              DEEPSEEK_V3_EXPERTS),
          new Family(
              "llama",
              "LlamaForCausalLM",
              Naming.LLAMA,
              new Sizes(32, 4096, 32, 0, 11008, 32000, 0),
              LLAMA_SHAPE.with(Biases.BY_KEYS),
              List.of()),
          qwen2("mimo", "MiMoForCausalLM"),
          new Family(
              "mistral",
              "MistralForCausalLM",
              Naming.LLAMA,
              new Sizes(32, 4096, 32, 8, 14336, 32000, 0),
              LLAMA_SHAPE,
              List.of(NO_ATTENTION_BIAS)),
          new Family(
              "mixtral",
              "MixtralForCausalLM",
              Naming.LLAMA,
              new Sizes(32, 4096, 32, 8, 14336, 32000, 0),
              LLAMA_SHAPE,
              List.of(NO_ATTENTION_BIAS),
              new Parts(
                  Mixture.of(Mixture.Keys.MIXTRAL, new Experts(8, 2, 0, 0, 0)), false, false, 0)),
          new Family(
              "phi3",
              "Phi3ForCausalLM",
              Naming.LLAMA,
              new Sizes(32, 3072, 32, 0, 8192, 32064, 0),
              LLAMA_SHAPE,
              List.of(NO_ATTENTION_BIAS)),
          qwen2("qwen2", "Qwen2ForCausalLM"),
          new Family(
              "qwen3",
              "Qwen3ForCausalLM",
              Naming.LLAMA,
              new Sizes(32, 4096, 32, 32, 22016, 151936, 0),
              LLAMA_SHAPE,
              List.of(NO_ATTENTION_BIAS),
              new Parts(Mixture.NONE, false, true, 128)),
          new Family(
              "qwen3_moe",
              "Qwen3MoeForCausalLM",
              Naming.LLAMA,
              new Sizes(24, 2048, 32, 4, 6144, 151936, 0),
              LLAMA_SHAPE,
              List.of(NO_ATTENTION_BIAS),
              new Parts(
                  Mixture.of(Mixture.Keys.QWEN, new Experts(128, 8, 768, 0, 0)), false, true, 0)),
          starcoder2());

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
   * @param norm kind of normalisation
   * @param activation kind of feed-forward network
   * @param function default of the activation function
   * @param biases which projections have biases
   * @param tied default of {@code tie_word_embeddings}
   * @param parallelBlock whether attention and feed-forward read one norm
   */
  record Shape(
      Norm norm,
      Activation activation,
      String function,
      Biases biases,
      boolean tied,
      boolean parallelBlock) {

    Shape with(String other) {
      return new Shape(norm, activation, other, biases, tied, parallelBlock);
    }

    Shape with(Biases other) {
      return new Shape(norm, activation, function, other, tied, parallelBlock);
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
    return ALL.stream().filter(family -> family.modelType.equals(modelType)).findFirst();
  }

  /** The family whose language model has the class {@code architecture}. */
  static Optional<Family> ofArchitecture(String architecture) {
    return ALL.stream().filter(family -> family.builds(architecture)).findFirst();
  }

  /** The names of all, for a message. */
  static String available() {
    return ALL.stream()
        .map(Family::modelType)
        .collect(Collectors.joining(", ", "Available: ", "."));
  }

  /** Whether {@code architecture} is its language model; early files differ in capitals. */
  boolean builds(String architecture) {
    return this.architecture.toLowerCase(Locale.ROOT).equals(architecture.toLowerCase(Locale.ROOT));
  }

  /** The activation functions that are its kind of feed-forward network. */
  List<String> functions() {
    return shape.activation == Activation.GELU ? GELU : SILU;
  }

  /** Whether a {@code sliding_window} holds unless another key switches it off, or only if on. */
  boolean usesItsWindow() {
    return shape.biases != Biases.QKV && !parts.qkNorm;
  }

  /** Whether its model is without the layers for multi-token prediction that its weights have. */
  boolean leavesOutPrediction() {
    return parts.experts().keys() == Mixture.Keys.DEEPSEEK_V3;
  }

  private static Family deepseek(
      String modelType, String architecture, Sizes sizes, Mixture.Keys keys, Experts experts) {
    boolean latent = !modelType.equals("deepseek");
    return new Family(
        modelType,
        architecture,
        Naming.LLAMA,
        sizes,
        LLAMA_SHAPE,
        List.of(NO_ATTENTION_BIAS),
        new Parts(Mixture.of(keys, experts), latent, false, 0));
  }

  /** The same graph under two names; mimo adds what {@link GraphKeys} refuses. */
  private static Family qwen2(String modelType, String architecture) {
    return new Family(
        modelType,
        architecture,
        Naming.LLAMA,
        new Sizes(32, 4096, 32, 32, 22016, 151936, 0),
        LLAMA_SHAPE.with(Biases.QKV),
        List.of(
            new Demand(
                "attention_bias",
                "true",
                "queries, keys and values without biases, which no " + modelType + " has")));
  }

  private static Family cohere() {
    return new Family(
        "cohere",
        "CohereForCausalLM",
        Naming.LLAMA,
        new Sizes(40, 8192, 64, 0, 22528, 256000, 0),
        new Shape(Norm.LAYERNORM, Activation.SWIGLU, "silu", Biases.NONE, true, true),
        List.of(NO_ATTENTION_BIAS));
  }

  private static Family starcoder2() {
    return new Family(
        "starcoder2",
        "Starcoder2ForCausalLM",
        Naming.LLAMA,
        new Sizes(30, 3072, 24, 2, 12288, 49152, 0),
        GPT2_SHAPE.with("gelu_pytorch_tanh"),
        List.of(
            new Demand("use_bias", "true", "norms with biases beside projections without"),
            new Demand("norm_type", "layer_norm", "another norm"),
            new Demand("mlp_type", "default", "another feed-forward network")));
  }
}
