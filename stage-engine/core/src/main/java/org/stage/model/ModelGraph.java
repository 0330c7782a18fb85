package org.stage.model;

import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.stage.api.graph.Axis;
import org.stage.api.graph.AxisRole;
import org.stage.api.graph.Module;
import org.stage.api.graph.Tensor;
import org.stage.api.symbol.Expr;
import org.stage.job.Block;
import org.stage.job.ContextParallelism;
import org.stage.job.Job;
import org.stage.job.LayerKernels;
import org.stage.job.Model;
import org.stage.module.ModuleLibrary;

/**
 * The forward graph of a decoder: an embedding, layers, a head. Each distinct block is built once,
 * however many layers are of it.
 *
 * @param model what is built
 * @param embedding tokens to the residual stream
 * @param blocks residual stream to residual stream, for each distinct block of the model, in the
 *     order in which they come first
 * @param head residual stream to the loss; its table is the embedding's where they are tied
 */
public record ModelGraph(Model model, Module embedding, Map<Block, Module> blocks, Module head) {
  private static final String LAYER = "decoder_layer";

  /** Copies the map; its order stays. */
  public ModelGraph {
    blocks = Collections.unmodifiableMap(new LinkedHashMap<>(blocks));
  }

  /** What a model leaves open; without it, the other way is taken. */
  public enum Option {
    /** Attention is one kernel, instead of one for each of its products. */
    FLASH_ATTENTION,
    /** Training is with dropout, where models of this kind have it. */
    DROPOUT,
    /** What is exchanged around the attention core is kept in exchanged form. */
    ULYSSES,
    /** Layers multiply by their weights in 8 bits. */
    EIGHT_BIT_PRODUCTS,
    /** Rows go to experts in 8 bits; layers multiply in 8 bits, too. */
    EIGHT_BIT_DISPATCH,
    /** Gates weigh in the experts' activation function, instead of where rows are combined. */
    GATES_IN_ACTIVATION,
    /** All tensor-parallel ranks gather the tokens that they route. */
    GATHERED_TOKENS
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
    add(options, job.training().numerics().eightBitDispatch(), Option.EIGHT_BIT_DISPATCH);
    add(options, job.strategy().experts().gatesInActivation(), Option.GATES_IN_ACTIVATION);
    add(options, job.strategy().experts().wholeTokens(), Option.GATHERED_TOKENS);
    return of(job.model(), options, library);
  }

  /** Builds the graph of a model of the library's modules. */
  public static ModelGraph of(Model model, Set<Option> options, ModuleLibrary library) {
    UnaryOperator<Module> cast =
        options.contains(Option.EIGHT_BIT_PRODUCTS)
            ? module -> Quantization.of(module, library.operators())
            : UnaryOperator.identity();
    Map<Block, Module> blocks = new LinkedHashMap<>();
    for (Block block : model.blocks()) {
      Map<String, String> parts =
          Map.of("mixer", block.mixer(), "feed_forward", block.feedForward().module());
      Set<String> features = features(block.features(), options);
      blocks.put(block, cast.apply(library.build(LAYER, features, parts)));
    }
    Set<String> features = features(model.ends().features(), options);
    return new ModelGraph(
        model,
        library.build(model.ends().embedding(), features),
        blocks,
        library.build(model.ends().head(), features));
  }

  /** What holds of a module: of the model, and of how it is trained. */
  private static Set<String> features(Set<String> ofModel, Set<Option> options) {
    Set<String> features = new HashSet<>(ofModel);
    boolean flash = options.contains(Option.FLASH_ATTENTION);
    boolean drops = options.contains(Option.DROPOUT) && ofModel.contains(Model.DROPOUT);
    if (!drops) {
      features.remove(Model.DROPOUT);
    }
    // In one kernel, the mask is drawn again in backward from its seed.
    add(features, drops && !flash, "dropout_of_scores");
    features.add(flash ? "flash_attention" : "unfused_attention");
    add(features, options.contains(Option.ULYSSES), "ulysses");
    add(features, options.contains(Option.GATHERED_TOKENS), "gathered_tokens");
    features.add(
        options.contains(Option.EIGHT_BIT_DISPATCH)
            ? "dispatch_in_eight_bits"
            : "dispatch_in_precision");
    features.add(
        options.contains(Option.GATES_IN_ACTIVATION) ? "gates_in_activation" : "gates_in_combine");
    return features;
  }

  private static <T> void add(Set<T> features, boolean holds, T feature) {
    if (holds) {
      features.add(feature);
    }
  }

  /** The distinct layers that the model has. */
  public List<Module> layers() {
    return List.copyOf(blocks.values());
  }

  /** Parameters of the whole model, a tied table counted once, the vocabulary unpadded. */
  public long parameters() {
    return parameters(Map.of());
  }

  /** Parameters that one token meets: of the experts of a layer only those that it is sent to. */
  public long activeParameters() {
    return parameters(
        model
            .experts()
            .map(experts -> Map.of(AxisRole.EXPERT, (long) experts.perToken()))
            .orElse(Map.of()));
  }

  private long parameters(Map<AxisRole, Long> insteadOfAxes) {
    Map<Block, Expr> each = new HashMap<>();
    blocks.forEach((block, layer) -> each.put(block, size(layer, insteadOfAxes, Set.of())));
    Expr total = size(embedding, Map.of(), Set.of());
    for (Model.Run run : model.runs()) {
      total = total.plus(each.getOrDefault(run.block(), Expr.ZERO).times(run.count()));
    }
    total =
        total.plus(size(head, Map.of(), model.tied() ? Set.of(model.ends().table()) : Set.of()));
    return Math.addExact(total.evaluate(model.sizes()), model.untrained());
  }

  private static Expr size(Module module, Map<AxisRole, Long> insteadOfAxes, Set<String> without) {
    Map<String, Expr> axes = new HashMap<>();
    for (Axis axis : module.axes()) {
      Long instead = insteadOfAxes.get(axis.role());
      axes.put(axis.name(), instead == null ? axis.size() : Expr.of(instead));
    }
    Expr total = Expr.ZERO;
    for (Tensor parameter : module.parameters()) {
      if (without.contains(parameter.name())) {
        continue;
      }
      Expr size = Expr.ONE;
      for (String axis : parameter.axes()) {
        size = size.times(axes.getOrDefault(axis, Expr.ONE));
      }
      total = total.plus(size);
    }
    return total;
  }
}
