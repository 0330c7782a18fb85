package org.stage.parallel;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.stage.api.graph.Module;
import org.stage.job.Batch;
import org.stage.job.Block;
import org.stage.job.Job;
import org.stage.model.ModelGraph;

/**
 * The modules of a model, placed on the mesh, in symbols: what all layers, micro-batches and ranks
 * share, whatever is recomputed, offloaded or sharded besides.
 *
 * <p>Sizes and degrees are symbols and mesh axes are indices, so jobs of one structure have equal
 * placed models: those that have the same modules and rules, of whose degrees the same are 1, which
 * divide the same of what they split. Only a ring of context parallelism has its degree in it, as
 * it is unrolled.
 *
 * @param embedding the first module
 * @param layers a decoder layer of each distinct block
 * @param head the last module
 */
public record PlacedModel(PlacedUnit embedding, Map<Block, PlacedUnit> layers, PlacedUnit head) {
  /** Copies the map. */
  public PlacedModel {
    layers = Map.copyOf(layers);
  }

  /** Places the modules of a model as a job asks. */
  public static PlacedModel of(Job job, ModelGraph model) {
    DeviceMesh mesh = DeviceMesh.of(job);
    ShardingRules rules = ShardingRules.of(mesh, job.model().kvHeads(), job.strategy());
    Placing placing = new Placing(job, mesh, rules);
    // With DualPipe both ends of the pipeline hold both ends of the model.
    boolean bothEnds =
        job.mesh().degree("pp") == 1 || job.strategy().pipeline().schedule().hasCopies();
    boolean borrowsTable = job.model().tied() && bothEnds;
    Map<Block, PlacedUnit> layers = new HashMap<>();
    model.blocks().forEach((block, layer) -> layers.put(block, placing.of(layer, Set.of())));
    return new PlacedModel(
        placing.of(model.embedding(), Set.of()),
        layers,
        placing.of(model.head(), borrowsTable ? Set.of(ModelGraph.TABLE) : Set.of()));
  }

  /** Every decoder layer of {@code block}, which the model has. */
  public PlacedUnit layer(Block block) {
    return Objects.requireNonNull(layers.get(block), "no layer of " + block);
  }

  private record Placing(Job job, DeviceMesh mesh, ShardingRules rules) {
    PlacedUnit of(Module module, Set<String> borrowed) {
      boolean causal = job.training().kernels().causalFlops();
      boolean keeps = job.strategy().tensor().keepsGathered();
      return PlacedUnit.of(mesh, rules, module, causal, borrowed, keeps);
    }
  }

  /** The numbers of a job for the symbols of its placed model. */
  public static Numbers numbers(Job job) {
    Batch of = job.training().batch();
    Map<String, Long> bindings = new HashMap<>(job.model().sizes());
    DeviceMesh mesh = DeviceMesh.of(job);
    bindings.putAll(mesh.degrees());
    long batch = (long) of.micro() * job.mesh().degree("dp") * job.mesh().degree("ep");
    bindings.put("batch", batch);
    bindings.put("seq", (long) of.seq());
    bindings.put("vocab", (long) job.strategy().tensor().paddedVocab());
    return new Numbers(
        mesh,
        bindings,
        job.training().numerics().precision(),
        job.strategy().tensor().singlePrecision());
  }
}
