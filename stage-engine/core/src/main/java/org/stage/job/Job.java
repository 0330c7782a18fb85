package org.stage.job;

import java.util.List;
import org.stage.api.workload.Mesh;
import org.stage.schedule.Pipeline;

/**
 * One job: every value is in its range and the degrees divide what they split.
 *
 * @param name prefix of exported files
 * @param model the model in numbers
 * @param mesh axes {@code tp}, {@code dp}, {@code pp} and those of degree above 1 among {@code cp},
 *     {@code ep}, innermost first
 * @param strategy where the parts of the model live on the mesh
 * @param step what a step computes
 * @param platform on which devices it runs
 * @param origins where its values stand in the file
 */
public record Job(
    String name,
    Model model,
    Mesh mesh,
    Strategy strategy,
    JobStep step,
    Platform platform,
    Origins origins) {
  /**
   * Its training step.
   *
   * @throws IllegalStateException if its step is another
   */
  public Training training() {
    if (step instanceof Training training) {
      return training;
    }
    throw new IllegalStateException(name + " does not train");
  }

  /** Its pipeline; of one rank where it has none. */
  public Pipeline pipeline() {
    PipelineParallelism how = strategy.pipeline();
    int microBatches = training().batch().microBatches();
    return new Pipeline(how.schedule(), mesh.degree("pp"), how.virtualStages(), microBatches);
  }

  /** Ranks that hold copies of what is not split otherwise: those of dp, cp and ep together. */
  public int replicas() {
    return List.of("dp", "cp", "ep").stream().mapToInt(mesh::degree).reduce(1, Math::multiplyExact);
  }

  /** The same job, all of whose activations are kept. */
  public Job withoutRecomputation() {
    return with(ActivationCheckpointing.NONE);
  }

  /** The same job, of whose listed parts that run again only these do. */
  public Job recomputing(List<NamePattern> parts) {
    Origin origin = training().checkpointing().modules().origin();
    return with(
        new ActivationCheckpointing(
            ActivationCheckpointing.Recompute.MODULES, new RecomputedModules(parts, origin)));
  }

  private Job with(ActivationCheckpointing checkpointing) {
    Training training = training().with(checkpointing);
    return new Job(name, model, mesh, strategy, training, platform, origins);
  }
}
