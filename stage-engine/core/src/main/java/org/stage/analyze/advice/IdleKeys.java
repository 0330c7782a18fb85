package org.stage.analyze.advice;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import org.stage.analyze.advice.Advice.Subject;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.workload.DataType;
import org.stage.api.workload.MeshAxis;
import org.stage.job.ExpertStrategy;
import org.stage.job.Model;
import org.stage.job.Optimizer;
import org.stage.job.StateSharding;
import org.stage.job.Training;

/**
 * Keys that a file says and that change nothing in its job, a row each: the key, when it is idle,
 * why, and what would make it work. Where another job than the one that was meant would come out,
 * the reader refuses instead.
 */
final class IdleKeys {
  private static final List<Row> ROWS =
      List.of(
          new Row("training.zero_group", IdleKeys::shardsNothing, "training.zero is 0"),
          new Row("training.zero_regather", IdleKeys::gathersNothing, "training.zero is not 3"),
          new Row("training.prefetch", IdleKeys::gathersNothing, "training.zero is not 3"),
          new Row("training.keep_gathered", s -> s.degree("tp") == 1, "mesh.tp is 1"),
          new Row("training.tp_collectives", s -> s.degree("tp") == 1, "mesh.tp is 1"),
          new Row(
              "training.embedding_output",
              s -> !s.job().strategy().tensor().sequenceParallel(),
              "training.sequence_parallel is false"),
          new Row("training.expert_gates", s -> !hasExperts(s), "the model has no experts"),
          new Row("training.expert_dispatch", s -> !hasExperts(s), "the model has no experts"),
          new Row(
              "training.expert_load",
              s -> hasExperts(s) && !loadMatters(s),
              "all ranks have the same rows of experts"),
          new Row(
              "training.expert_capacity",
              IdleKeys::nothingExceedsCapacity,
              "without a load, no expert exceeds it"),
          new Row("training.layers_per_stage", IdleKeys::isOneChunk, "mesh.pp is 1"),
          new Row(
              "training.bucket_mb",
              s -> !hasCopies(s),
              "no gradient has a copy to be reduced with"),
          new Row(
              "training.gradients",
              s -> s.training().numerics().precision().weights() == DataType.FP32,
              "training.precision is fp32 already"),
          new Row(
              "training.offload", IdleKeys::offloadsNothing, "plain descent in fp32 has no states"),
          new Row("mesh.ep_in_dp", s -> s.degree("ep") == 1, "mesh.ep is 1"),
          new Row("mesh.order", IdleKeys::isLine, "no two axes have more than one device"),
          new Row("rules.expert", s -> !hasExperts(s), "the model has no experts"),
          new Row("rules.expert_mlp", s -> !hasExperts(s), "the model has no experts"),
          new Row("rules.shared_mlp", s -> !hasSharedExperts(s), "the model has no shared experts"),
          new Row("rules.mlp", s -> !hasDense(s), "all layers have experts"),
          new Row("rules.mlp_out", s -> !hasDense(s), "all layers have experts"),
          new Row("model.ffn", s -> !hasDense(s), "all layers have experts"),
          new Row("model.activation", s -> !hasDense(s), "all layers have experts"));

  private IdleKeys() {}

  /**
   * A key.
   *
   * @param key its path
   * @param idle whether it has no effect in a job
   * @param why what is so in such a job
   */
  private record Row(String key, Predicate<Subject> idle, String why) {}

  /** A warning for each key of the job's file, or of the command line, that changes nothing. */
  static List<Diagnostic> of(Subject subject) {
    List<Diagnostic> warnings = new ArrayList<>();
    for (Row row : ROWS) {
      if (subject.says(row.key()) && row.idle().test(subject)) {
        Optional<Diagnostic> warning =
            subject.warn(row.key(), "has no effect: " + row.why(), "Remove it.");
        warning.ifPresent(warnings::add);
      }
    }
    return warnings;
  }

  private static boolean shardsNothing(Subject s) {
    StateSharding sharding = s.training().sharding();
    return sharding.zero() == 0 && sharding.group() != s.job().replicas();
  }

  private static boolean gathersNothing(Subject s) {
    return s.training().sharding().zero() < 3;
  }

  private static boolean hasExperts(Subject s) {
    return s.job().model().experts().isPresent();
  }

  private static boolean hasSharedExperts(Subject s) {
    return s.job().model().experts().filter(experts -> experts.shared() > 0).isPresent();
  }

  private static boolean hasDense(Subject s) {
    Model model = s.job().model();
    return model.blocks().stream().anyMatch(block -> !block.hasExperts());
  }

  /** Loads differ between ranks, or exceed a capacity that does not pad. */
  private static boolean loadMatters(Subject s) {
    ExpertStrategy how = s.job().strategy().experts();
    boolean padded = how.capacity().isPresent() && how.padded();
    return !padded && (s.degree("ep") > 1 || how.capacity().isPresent());
  }

  private static boolean nothingExceedsCapacity(Subject s) {
    ExpertStrategy how = s.job().strategy().experts();
    OptionalDouble capacity = how.capacity();
    boolean enough = capacity.isPresent() && capacity.getAsDouble() >= 1;
    return hasExperts(s) && enough && !how.padded() && how.loads().isEmpty();
  }

  private static boolean isOneChunk(Subject s) {
    return s.degree("pp") == 1 && s.job().strategy().pipeline().virtualStages() == 1;
  }

  private static boolean hasCopies(Subject s) {
    boolean ofExperts = hasExperts(s) && s.job().strategy().experts().tp() < s.degree("tp");
    return s.job().replicas() > 1 || ofExperts;
  }

  private static boolean offloadsNothing(Subject s) {
    Training training = s.training();
    return training.offload() == Training.Offload.OPTIMIZER
        && training.optimizer().kind() == Optimizer.Kind.SGD
        && training.numerics().precision().weights() == DataType.FP32;
  }

  private static boolean isLine(Subject s) {
    return s.job().mesh().axes().stream().map(MeshAxis::degree).filter(d -> d > 1).count() < 2;
  }
}
