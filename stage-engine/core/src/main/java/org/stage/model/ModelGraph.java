package org.stage.model;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.stage.api.graph.Module;
import org.stage.api.graph.Tensor;
import org.stage.api.symbol.Expr;
import org.stage.job.ContextParallelism;
import org.stage.job.Job;
import org.stage.job.LayerKernels;
import org.stage.job.ModelDescription;
import org.stage.job.ModelDescription.Activation;
import org.stage.job.ModelDescription.Norm;
import org.stage.module.ModuleLibrary;

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

  /** What a description leaves open; without it, the other way is taken. */
  public enum Option {
    /** Attention is one kernel, instead of one for each of its products. */
    FLASH_ATTENTION,
    /** Training is with dropout, where models of this kind have it. */
    DROPOUT,
    /** What is exchanged around the attention core is kept in exchanged form. */
    ULYSSES,
    /** Layers multiply by their weights in 8 bits. */
    EIGHT_BIT_PRODUCTS,
    /** Gates weigh in the experts' activation function, instead of where rows are combined. */
    GATES_IN_ACTIVATION
  }

  /** Builds the graph of a job's model, as its step computes it, of the library's modules. */
  public static ModelGraph of(Job job, ModuleLibrary library) {
    Set<Option> options = EnumSet.noneOf(Option.class);
    LayerKernels kernels = job.training().kernels();
    boolean ulysses = job.strategy().context() == ContextParallelism.ULYSSES;
    add(options, kernels.flashAttention(), Option.FLASH_ATTENTION);
    add(options, kernels.dropout(), Option.DROPOUT);
    add(options, ulysses && job.mesh().degree("cp") > 1, Option.ULYSSES);
    add(options, job.training().numerics().eightBitProducts(), Option.EIGHT_BIT_PRODUCTS);
    add(options, job.strategy().experts().gatesInActivation(), Option.GATES_IN_ACTIVATION);
    return of(job.model(), options, library);
  }

  /** Builds the graph of a model of the library's modules. */
  public static ModelGraph of(ModelDescription model, Set<Option> options, ModuleLibrary library) {
    boolean flash = options.contains(Option.FLASH_ATTENTION);
    Set<String> features = features(model, flash);
    boolean drops = options.contains(Option.DROPOUT) && model.hasDropout();
    add(features, drops, "dropout");
    // In one kernel, the mask is drawn again in backward from its seed.
    add(features, drops && !flash, "dropout_of_scores");
    add(features, options.contains(Option.ULYSSES), "ulysses");
    features.add(
        options.contains(Option.GATES_IN_ACTIVATION) ? "gates_in_activation" : "gates_in_combine");
    add(
        features,
        model.experts().filter(experts -> experts.shared() > 0).isPresent(),
        "shared_experts");
    UnaryOperator<Module> cast =
        options.contains(Option.EIGHT_BIT_PRODUCTS)
            ? module -> Quantization.of(module, library.operators())
            : UnaryOperator.identity();
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

  private static <T> void add(Set<T> features, boolean holds, T feature) {
    if (holds) {
      features.add(feature);
    }
  }

  /** The kinds of layers that the model has. */
  public List<Module> layers() {
    List<Module> layers = new ArrayList<>();
    if (description.expertLayers() < description.layers()) {
      layers.add(denseLayer);
    }
    if (description.expertLayers() > 0) {
      layers.add(expertLayer);
    }
    return layers;
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
