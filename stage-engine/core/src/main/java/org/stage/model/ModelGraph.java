package org.stage.model;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.stage.api.graph.Module;
import org.stage.api.graph.Tensor;
import org.stage.api.model.ModelDescription;
import org.stage.api.model.ModelDescription.Activation;
import org.stage.api.model.ModelDescription.Norm;
import org.stage.api.symbol.Expr;
import org.stage.module.ModuleLibrary;
import org.stage.precision.Quantization;

/**
 * The forward graph of a decoder: an embedding, layers, a head. A layer is built once, however many
 * there are; one with experts, where the model has them, apart from a dense one.
 *
 * @param description the model in numbers
 * @param embedding tokens to the residual stream
 * @param denseLayer residual stream to residual stream, with a feed-forward network
 * @param expertLayer the same with a mixture of experts; of no use in a model without
 * @param head residual stream to the loss; its {@code weight} is the embedding's where they are
 *     tied
 */
public record ModelGraph(
    ModelDescription description,
    Module embedding,
    Module denseLayer,
    Module expertLayer,
    Module head) {
  /** The head's projection, which a tied model shares with the embedding's table. */
  public static final String TABLE = "weight";

  private static final String EXPERT = "expert";

  /**
   * What a description leaves open.
   *
   * @param flashAttention whether attention is one kernel, or one for each of its products
   * @param dropout whether to train with dropout, where models of this kind have it
   * @param ulysses whether what is exchanged around the attention core is kept in exchanged form
   * @param quantized whether layers multiply by their weights in 8 bits
   * @param gatesInActivation whether gates weigh in the experts' activation function instead of
   *     where their rows are combined
   */
  public record Options(
      boolean flashAttention,
      boolean dropout,
      boolean ulysses,
      boolean quantized,
      boolean gatesInActivation) {
    /** In 16 bits, gates weighing what experts return. */
    public Options(boolean flashAttention, boolean dropout, boolean ulysses) {
      this(flashAttention, dropout, ulysses, false, false);
    }
  }

  /**
   * Builds the graph.
   *
   * @param options how it is to be computed
   */
  public static ModelGraph of(ModelDescription model, Options options) {
    ModuleLibrary library = new ModuleLibrary();
    Set<String> features = features(model, options.flashAttention());
    boolean drops = options.dropout() && model.hasDropout();
    add(features, drops, "dropout");
    // In one kernel, the mask is drawn again in backward from its seed.
    add(features, drops && !options.flashAttention(), "dropout_of_scores");
    add(features, options.ulysses(), "ulysses");
    features.add(options.gatesInActivation() ? "gates_in_activation" : "gates_in_combine");
    add(
        features,
        model.experts().filter(experts -> experts.shared() > 0).isPresent(),
        "shared_experts");
    UnaryOperator<Module> cast = options.quantized() ? Quantization::of : UnaryOperator.identity();
    return new ModelGraph(
        model,
        library.build("embedding", features),
        cast.apply(library.build("decoder_layer", with(features, "dense_layer"))),
        cast.apply(library.build("decoder_layer", with(features, "expert_layer"))),
        library.build("head", features));
  }

  private static Set<String> features(ModelDescription model, boolean flashAttention) {
    Set<String> features = new HashSet<>();
    boolean layerNorm = model.norm() == Norm.LAYERNORM;
    features.add(!layerNorm ? "rms_norm" : model.bias() ? "layer_norm_with_bias" : "layer_norm");
    add(features, layerNorm && model.bias(), "norm_bias");
    add(features, model.bias(), "bias");
    add(features, model.bias() || model.qkvBias(), "qkv_bias");
    features.add(model.activation() == Activation.SWIGLU ? "swiglu" : "gelu");
    features.add(model.positions() > 0 ? "learned_positions" : "rotary");
    features.add(model.parallelBlock() ? "parallel_block" : "sequential_block");
    features.add(flashAttention ? "flash_attention" : "unfused_attention");
    features.add(model.latent().isPresent() ? "latent_attention" : "grouped_attention");
    model
        .latent()
        .ifPresent(
            latent -> features.add(latent.queries() > 0 ? "latent_queries" : "plain_queries"));
    add(features, model.qkNorm(), "qk_norm");
    return features;
  }

  private static Set<String> with(Set<String> features, String one) {
    Set<String> more = new HashSet<>(features);
    more.add(one);
    return more;
  }

  private static void add(Set<String> features, boolean holds, String feature) {
    if (holds) {
      features.add(feature);
    }
  }

  /** Parameters of the whole model, a tied table counted once, the vocabulary unpadded. */
  public long parameters() {
    return parameters(Map.of());
  }

  /** Parameters that one token meets: of the experts of a layer only those that it is sent to. */
  public long activeParameters() {
    return parameters(
        description
            .experts()
            .map(experts -> Map.of(EXPERT, (long) experts.perToken()))
            .orElse(Map.of()));
  }

  private long parameters(Map<String, Long> insteadOfAxes) {
    int experts = description.expertLayers();
    Expr layers =
        size(denseLayer, insteadOfAxes)
            .times((long) description.layers() - experts)
            .plus(experts == 0 ? Expr.ZERO : size(expertLayer, insteadOfAxes).times(experts));
    Expr total = size(embedding, Map.of()).plus(layers).plus(size(head, Map.of()));
    if (description.tied()) {
      total = total.minus(Expr.symbol("vocab").times(Expr.symbol("embed")));
    }
    Map<String, Long> sizes = new HashMap<>(description.sizes());
    sizes.put("vocab", (long) description.vocab());
    return Math.addExact(total.evaluate(sizes), choiceBiases());
  }

  /** They belong to the weights, but neither gradients nor optimizer know them. */
  private long choiceBiases() {
    return description
        .experts()
        .filter(ModelDescription.Experts::choiceBias)
        .map(experts -> (long) experts.count() * description.expertLayers())
        .orElse(0L);
  }

  private static Expr size(Module module, Map<String, Long> insteadOfAxes) {
    Map<String, Expr> axes = new HashMap<>();
    module.axes().forEach(axis -> axes.put(axis.name(), axis.size()));
    insteadOfAxes.forEach((axis, size) -> axes.put(axis, Expr.of(size)));
    Expr total = Expr.ZERO;
    for (Tensor parameter : module.parameters()) {
      Expr size = Expr.ONE;
      for (String axis : parameter.axes()) {
        size = size.times(axes.getOrDefault(axis, Expr.ONE));
      }
      total = total.plus(size);
    }
    return total;
  }
}
