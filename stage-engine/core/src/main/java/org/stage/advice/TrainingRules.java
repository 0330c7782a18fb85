package org.stage.advice;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.stage.advice.Advice.Job;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.spec.Training;

/** Settings that have no effect, or one that costs more than it gives. */
final class TrainingRules {
  private TrainingRules() {}

  static Optional<Diagnostic> zeroShardsOverOneRank(Job job) {
    int zero = job.training().sharding().zero();
    int copies = job.degree("dp") * job.degree("cp") * job.degree("ep");
    if (zero == 0 || copies > 1) {
      return Optional.empty();
    }
    return job.warn(
        "training.zero",
        zero + " has no effect: mesh.dp x cp x ep is 1, so that every parameter has one holder",
        "Raise mesh.dp, or set it to 0.");
  }

  static Optional<Diagnostic> zeroGathersForEveryMicroBatch(Job job) {
    int zero = job.training().sharding().zero();
    int micro = job.training().microBatches();
    boolean many = job.degree("pp") > 1 && micro > 1 && zero >= 2;
    if (!many || job.degree("dp") * job.degree("cp") * job.degree("ep") == 1) {
      return Optional.empty();
    }
    boolean again = job.training().conventions().regathersLayers();
    String what =
        zero == 3
            ? "gathers the parameters of a layer " + (again ? 2L * micro : micro) + " times a step"
            : "scatters the gradients of a layer " + micro + " times a step";
    return job.warn(
        "training.zero",
        zero + " with mesh.pp " + job.degree("pp") + " " + what + ", for each micro-batch",
        "With 1 it is once a step.");
  }

  static Optional<Diagnostic> sequenceParallelismNeedsTensorParallelism(Job job) {
    return job.training().sequenceParallel() && job.degree("tp") == 1
        ? job.warn(
            "training.sequence_parallel",
            "has no effect: mesh.tp is 1",
            "Raise mesh.tp, or remove it.")
        : Optional.empty();
  }

  static Optional<Diagnostic> contextParallelismNeedsRanks(Job job) {
    boolean said = job.training().contextParallel() != Training.ContextParallel.ALL_GATHER;
    return said && job.degree("cp") == 1
        ? job.warn(
            "training.context_parallel",
            "has no effect: mesh.cp is 1",
            "Raise mesh.cp, or remove it.")
        : Optional.empty();
  }

  static Optional<Diagnostic> capacityNeedsExperts(Job job) {
    boolean said = job.training().experts().capacity().isPresent();
    return said && job.spec().model().experts().isEmpty()
        ? job.warn(
            "training.expert_capacity",
            "has no effect: " + job.spec().model().name() + " has no experts",
            "Remove it.")
        : Optional.empty();
  }

  static Optional<Diagnostic> dropoutIsNotInTheModel(Job job) {
    return job.training().dropout() && !job.spec().model().hasDropout()
        ? job.warn(
            "training.dropout",
            "has no effect: " + job.spec().model().name() + " has no dropout",
            "Remove it.")
        : Optional.empty();
  }

  static Optional<Diagnostic> ruleNamesAnAxisOfOneDevice(Job job) {
    for (Map.Entry<String, List<String>> rule : job.spec().rules().entrySet()) {
      for (String axis : rule.getValue()) {
        if (job.degree(axis) == 1) {
          return job.warn(
              "rules." + rule.getKey(),
              axis + " has no effect: mesh." + axis + " is 1",
              "Raise mesh." + axis + ", or remove it.");
        }
      }
    }
    return Optional.empty();
  }
}
