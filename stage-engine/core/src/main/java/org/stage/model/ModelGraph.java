package org.stage.model;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.stage.api.graph.Module;
import org.stage.api.graph.Tensor;
import org.stage.api.model.ModelDescription;
import org.stage.api.model.ModelDescription.Activation;
import org.stage.api.model.ModelDescription.Norm;
import org.stage.api.symbol.Expr;
import org.stage.module.ModuleLibrary;

/**
 * The forward graph of a decoder: an embedding, a layer that is repeated, a head. A layer is built
 * once, however many there are.
 *
 * @param description the model in numbers
 * @param embedding tokens to the residual stream
 * @param layer residual stream to residual stream
 * @param head residual stream to the loss; its {@code weight} is the embedding's where they are
 *     tied
 */
public record ModelGraph(
    ModelDescription description, Module embedding, Module layer, Module head) {
  /** The head's projection, which a tied model shares with the embedding's table. */
  public static final String TABLE = "weight";

  /**
   * What a description leaves open.
   *
   * @param flashAttention whether attention is one kernel, or one for each of its products
   * @param dropout whether to train with dropout, where models of this kind have it
   * @param ulysses whether what is exchanged around the attention core is kept in exchanged form
   */
  public record Options(boolean flashAttention, boolean dropout, boolean ulysses) {}

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
    return new ModelGraph(
        model,
        library.build("embedding", features),
        library.build("decoder_layer", features),
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
    return features;
  }

  private static void add(Set<String> features, boolean holds, String feature) {
    if (holds) {
      features.add(feature);
    }
  }

  /** Parameters of the whole model, a tied table counted once, the vocabulary unpadded. */
  public long parameters() {
    Expr total = size(embedding).plus(size(layer).times(description.layers())).plus(size(head));
    if (description.tied()) {
      total = total.minus(Expr.symbol("vocab").times(Expr.symbol("embed")));
    }
    Map<String, Long> sizes = new HashMap<>(description.sizes());
    sizes.put("vocab", (long) description.vocab());
    return total.evaluate(sizes);
  }

  private static Expr size(Module module) {
    Map<String, Expr> axes = new HashMap<>();
    module.axes().forEach(axis -> axes.put(axis.name(), axis.size()));
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
