package org.stage.job;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.stage.api.workload.Mesh;
import org.stage.job.TensorParallelism.EmbeddingOutput;
import org.stage.job.TensorParallelism.WeightGradients;
import org.stage.schedule.OneForwardOneBackward;

/** Strategies for tests of placement, in which experts are split over all of tp. */
public final class Strategies {
  private Strategies() {}

  public static Strategy of(Mesh mesh, boolean sequenceParallel, boolean scattered) {
    return of(mesh, sequenceParallel, scattered, ContextParallelism.ALL_GATHER, Map.of());
  }

  /** The same with rules of the user. */
  public static Strategy of(
      Mesh mesh,
      boolean sequenceParallel,
      boolean scattered,
      ContextParallelism context,
      Map<String, List<String>> rules) {
    EmbeddingOutput output =
        scattered ? EmbeddingOutput.REDUCE_SCATTER : EmbeddingOutput.ALL_REDUCE;
    return new Strategy(
        new TensorParallelism(
            sequenceParallel, output, false, false, WeightGradients.OVERLAP, false, 0),
        context,
        new PipelineParallelism(new OneForwardOneBackward(), 1, List.of()),
        ExpertStrategy.uniform(mesh.degree("tp")),
        rules);
  }

  /** The same where attention and experts gather their input once. */
  public static Strategy gathering(Strategy of) {
    TensorParallelism tensor = of.tensor();
    ExpertStrategy experts = of.experts();
    return new Strategy(
        new TensorParallelism(
            tensor.sequenceParallel(),
            tensor.embeddingOutput(),
            true,
            false,
            tensor.weightGradients(),
            true,
            0),
        of.context(),
        of.pipeline(),
        new ExpertStrategy(experts.tp(), OptionalDouble.empty(), true, List.of(), false, true),
        of.rules());
  }

  /** The same with experts that are split over fewer ranks. */
  public static Strategy withExpertTp(Strategy of, int expertTp) {
    return new Strategy(
        of.tensor(), of.context(), of.pipeline(), ExpertStrategy.uniform(expertTp), of.rules());
  }
}
