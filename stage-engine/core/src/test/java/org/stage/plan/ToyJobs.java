package org.stage.plan;

import java.util.Map;
import java.util.stream.Collectors;
import org.stage.job.Block;
import org.stage.job.Job;
import org.stage.model.ModelGraph;
import org.stage.module.ModuleLibrary;
import org.stage.operator.OperatorRules;
import org.stage.workloadfile.JobText;

/** Jobs from the text of their files, with toy modules or their own. */
final class ToyJobs {
  private static final String MODEL =
      "family: llama, layers: %d, hidden: 8, heads: 2, kv_heads: 2, ffn: 12, vocab: 16, tied: %s";

  private ToyJobs() {}

  static Job job(String yaml, String... overrides) {
    return JobText.job(yaml, overrides);
  }

  /** A dense model on a mesh: {@code pp: 2}; each micro-batch has one sequence of 4 tokens. */
  static Job job(int layers, String mesh, String training, String... overrides) {
    String model = MODEL.formatted(layers, training.contains("tied"));
    String rest = training.replace("tied, ", "");
    return job(
        "{model: {%s}, mesh: {%s}, training: {seq: 4, %s}}".formatted(model, mesh, rest),
        overrides);
  }

  /** Toy modules in place of the job's own, run as its training says of ZeRO. */
  static JobPlan toy(Job job) {
    UnitPlan.How how = Units.how(job.training().sharding().zero());
    Map<Block, UnitPlan> dense =
        job.model().blocks().stream()
            .filter(block -> !block.hasExperts())
            .collect(Collectors.toMap(block -> block, block -> Units.unit(how)));
    return new JobPlan(
        job,
        OperatorRules.standard(),
        Units.first(how),
        dense,
        new ExpertPlans(job, (block, rows) -> Units.unit(how)),
        Units.unit(how));
  }

  static JobPlan real(Job job) {
    return JobPlan.of(job, ModelGraph.of(job, ModuleLibrary.standard()), ModuleLibrary.standard());
  }
}
