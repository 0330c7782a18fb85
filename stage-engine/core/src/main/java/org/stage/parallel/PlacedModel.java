package org.stage.parallel;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.stage.api.graph.Module;
import org.stage.job.Batch;
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
 * @param denseLayer every decoder layer with a feed-forward network
 * @param expertLayer every decoder layer with experts; without such the other one
 * @param head the last module
 */
public record PlacedModel(
    PlacedUnit embedding, PlacedUnit denseLayer, PlacedUnit expertLayer, PlacedUnit head) {
  /** Places the modules of a model as a job asks. */
  public static PlacedModel of(Job job, ModelGraph model) {
    DeviceMesh mesh = DeviceMesh.of(job);
    ShardingRules rules = ShardingRules.of(mesh, job.model().kvHeads(), job.strategy());
    Placing placing = new Placing(job, mesh, rules);
    // With DualPipe both ends of the pipeline hold both ends of the model.
    boolean bothEnds =
        job.mesh().degree("pp") == 1 || job.strategy().pipeline().schedule().hasCopies();
    boolean borrowsTable = job.model().tied() && bothEnds;
    PlacedUnit dense = placing.of(model.denseLayer(), Set.of());
    return new PlacedModel(
        placing.of(model.embedding(), Set.of()),
        dense,
        job.model().experts().isEmpty() ? dense : placing.of(model.expertLayer(), Set.of()),
        placing.of(model.head(), borrowsTable ? Set.of(ModelGraph.TABLE) : Set.of()));
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
