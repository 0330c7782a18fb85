package org.stage.parallel;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.stage.api.graph.Axis;
import org.stage.job.Batch;
import org.stage.job.Block;
import org.stage.job.Job;
import org.stage.model.ModelGraph;
import org.stage.module.ModuleLibrary;
import org.stage.module.SizeSymbols;
import org.stage.operator.OperatorRules;

/**
 * The modules of a model, placed on the mesh, in symbols: what all layers, micro-batches and ranks
 * share, whatever is recomputed, offloaded or sharded besides.
 *
 * <p>Sizes and degrees are symbols and mesh axes are indices, so jobs of one structure have equal
 * placed models: those that have the same modules and rules, of whose degrees the same are 1, which
 * divide the same of what they split. Only a ring of context parallelism has its degree in it, as
 * it is unrolled.
 *
 * @param operators what is known of the operators in it
 * @param embedding the first module
 * @param layers a decoder layer of each distinct block
 * @param head the last module
 */
public record PlacedModel(
    OperatorRules operators, PlacedUnit embedding, Map<Block, PlacedUnit> layers, PlacedUnit head) {
  /** Copies the map. */
  public PlacedModel {
    layers = Map.copyOf(layers);
  }

  /**
   * Places the modules of a model as a job asks.
   *
   * @param library where they are from
   */
  public static PlacedModel of(Job job, ModelGraph model, ModuleLibrary library) {
    DeviceMesh mesh = DeviceMesh.of(job);
    ShardingRules rules =
        ShardingRules.of(mesh, job.model().kvHeads(), job.strategy(), axes(model, library));
    boolean causal = job.training().kernels().causalFlops();
    Placing placing = new Placing(mesh, rules, library.operators(), causal);
    boolean keeps = job.strategy().tensor().keepsGathered();
    boolean borrowsTable = job.model().tied() && job.pipeline().holdsBothEnds();
    Set<String> borrowed = borrowsTable ? Set.of(job.model().ends().table()) : Set.of();
    Map<Block, PlacedUnit> layers = new HashMap<>();
    model
        .blocks()
        .forEach(
            (block, layer) -> layers.put(block, PlacedUnit.of(placing, layer, Set.of(), keeps)));
    return new PlacedModel(
        library.operators(),
        PlacedUnit.of(placing, model.embedding(), Set.of(), keeps),
        layers,
        PlacedUnit.of(placing, model.head(), borrowed, keeps));
  }

  /** Every decoder layer of {@code block}, which the model has. */
  public PlacedUnit layer(Block block) {
    return Objects.requireNonNull(layers.get(block), "no layer of " + block);
  }

  /** The axes that a model's modules may be on. */
  static List<Axis> axes(ModelGraph model, ModuleLibrary library) {
    return library.axes(
        Stream.concat(Stream.of(model.embedding(), model.head()), model.layers().stream())
            .toList());
  }

  /** The numbers of a job for the symbols of its placed model. */
  public static Numbers numbers(Job job) {
    DeviceMesh mesh = DeviceMesh.of(job);
    Map<String, Long> bindings = sizes(job);
    bindings.putAll(mesh.degrees());
    return new Numbers(
        mesh,
        bindings,
        job.training().numerics().precision(),
        job.strategy().tensor().singlePrecision());
  }

  /** Values of the symbols of sizes, over the whole job. */
  static Map<String, Long> sizes(Job job) {
    Batch of = job.training().batch();
    Map<String, Long> bindings = new HashMap<>(job.model().sizes());
    long batch = (long) of.micro() * job.mesh().degree("dp") * job.mesh().degree("ep");
    bindings.put(SizeSymbols.BATCH, batch);
    bindings.put(SizeSymbols.SEQUENCE, (long) of.seq());
    bindings.put(SizeSymbols.VOCABULARY, (long) job.strategy().tensor().paddedVocab());
    return bindings;
  }
}
