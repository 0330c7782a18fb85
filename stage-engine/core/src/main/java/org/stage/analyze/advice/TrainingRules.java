package org.stage.analyze.advice;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.stage.analyze.advice.Advice.Subject;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.job.ContextParallelism;
import org.stage.job.StateSharding;

/** Settings that have no effect, or one that costs more than it gives. */
final class TrainingRules {
  private TrainingRules() {}

  static Optional<Diagnostic> zeroShardsOverOneRank(Subject subject) {
    int zero = subject.training().sharding().zero();
    int copies = subject.job().replicas();
    if (zero == 0 || copies > 1) {
      return Optional.empty();
    }
    return subject.warn(
        "training.zero",
        zero + " has no effect: mesh.dp x cp x ep is 1, so that every parameter has one holder",
        "Raise mesh.dp, or set it to 0.");
  }

  static Optional<Diagnostic> zeroGathersForEveryMicroBatch(Subject subject) {
    int zero = subject.training().sharding().zero();
    int micro = subject.batch().microBatches();
    boolean many = subject.degree("pp") > 1 && micro > 1 && zero >= 2;
    if (!many || subject.job().replicas() == 1) {
      return Optional.empty();
    }
    boolean again = subject.training().sharding().parameters().regather().layers();
    String what =
        zero == 3
            ? "gathers the parameters of a layer " + (again ? 2L * micro : micro) + " times a step"
            : "scatters the gradients of a layer " + micro + " times a step";
    return subject.warn(
        "training.zero",
        zero + " with mesh.pp " + subject.degree("pp") + " " + what + ", for each micro-batch",
        "With 1 it is once a step.");
  }

  static Optional<Diagnostic> sequenceParallelismNeedsTensorParallelism(Subject subject) {
    return subject.job().strategy().tensor().sequenceParallel() && subject.degree("tp") == 1
        ? subject.warn(
            "training.sequence_parallel",
            "has no effect: mesh.tp is 1",
            "Raise mesh.tp, or remove it.")
        : Optional.empty();
  }

  static Optional<Diagnostic> contextParallelismNeedsRanks(Subject subject) {
    boolean said = subject.job().strategy().context() != ContextParallelism.ALL_GATHER;
    return said && subject.degree("cp") == 1
        ? subject.warn(
            "training.context_parallel",
            "has no effect: mesh.cp is 1",
            "Raise mesh.cp, or remove it.")
        : Optional.empty();
  }

  static Optional<Diagnostic> capacityNeedsExperts(Subject subject) {
    boolean said = subject.job().strategy().experts().capacity().isPresent();
    return said && subject.job().model().experts().isEmpty()
        ? subject.warn(
            "training.expert_capacity",
            "has no effect: " + subject.job().model().name() + " has no experts",
            "Remove it.")
        : Optional.empty();
  }

  static Optional<Diagnostic> dropoutIsNotInTheModel(Subject subject) {
    return subject.training().kernels().dropout() && !subject.job().model().hasDropout()
        ? subject.warn(
            "training.dropout",
            "has no effect: " + subject.job().model().name() + " has no dropout",
            "Remove it.")
        : Optional.empty();
  }

  static Optional<Diagnostic> ruleNamesAnAxisOfOneDevice(Subject subject) {
    for (Map.Entry<String, List<String>> rule : subject.job().strategy().rules().entrySet()) {
      for (String axis : rule.getValue()) {
        if (subject.degree(axis) == 1) {
          return subject.warn(
              "rules." + rule.getKey(),
              axis + " has no effect: mesh." + axis + " is 1",
              "Raise mesh." + axis + ", or remove it.");
        }
      }
    }
    return Optional.empty();
  }

  static Optional<Diagnostic> zeroGroupsOfOne(Subject subject) {
    StateSharding sharding = subject.training().sharding();
    return sharding.zero() > 0 && sharding.group() == 1 && subject.job().replicas() > 1
        ? subject.warn(
            "training.zero_group",
            "1 shards nothing: gradients are all-reduced as with training.zero 0",
            "Raise it, or set training.zero to 0.")
        : Optional.empty();
  }

  static Optional<Diagnostic> expertTpGoesBeforeARule(Subject subject) {
    boolean below = subject.job().strategy().experts().tp() < subject.degree("tp");
    return below && subject.says("rules.expert_mlp")
        ? subject.warn(
            "rules.expert_mlp",
            "has no effect: training.expert_tp "
                + subject.job().strategy().experts().tp()
                + " says which ranks split an expert",
            "Remove one of them.")
        : Optional.empty();
  }
}
