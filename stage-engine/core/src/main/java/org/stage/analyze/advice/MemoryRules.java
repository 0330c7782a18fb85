package org.stage.analyze.advice;

import java.util.Locale;
import java.util.Optional;
import org.stage.analyze.Analysis;
import org.stage.analyze.Memory;
import org.stage.analyze.advice.Advice.Subject;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.workload.Phase;
import org.stage.arithmetic.Sums;
import org.stage.job.ActivationCheckpointing.Recompute;

/** Memory of the device against what a job needs. */
final class MemoryRules {
  private static final double GIB = 1L << 30;

  private MemoryRules() {}

  static Optional<Diagnostic> deviceIsTooSmall(Subject subject) {
    double has = memory(subject);
    long needs = subject.analysis().peakMemoryBytes();
    if (has == 0 || needs <= has) {
      return Optional.empty();
    }
    Analysis.OfClass worst = worst(subject.analysis());
    return subject.warn(
        "hardware",
        String.format(
            Locale.ROOT,
            "ranks of stage %d need %.1f GiB at their peak, %.1f GiB more than the %.1f GiB of the"
                + " device",
            worst.stage(),
            needs / GIB,
            (needs - has) / GIB,
            has / GIB),
        remedy(subject, worst.memory()));
  }

  private static Analysis.OfClass worst(Analysis analysis) {
    Analysis.OfClass worst = analysis.classes().get(0);
    for (Analysis.OfClass each : analysis.classes()) {
      worst = each.memory().peak() > worst.memory().peak() ? each : worst;
    }
    return worst;
  }

  private static String remedy(Subject subject, Memory memory) {
    long states = memory.parameters() + memory.gradients() + memory.optimizer();
    boolean activations = memory.activations() > states;
    String most = activations ? "activations" : "model states";
    return String.format(
        Locale.ROOT,
        "Most of it: %s, %.1f GiB; %s.",
        most,
        (activations ? memory.activations() : states) / GIB,
        activations ? lessActivations(subject) : lessStates(subject));
  }

  private static String lessStates(Subject subject) {
    int zero = subject.training().sharding().zero();
    int copies = subject.job().replicas();
    if (zero < 3 && copies > 1) {
      return "training.zero " + (zero + 1) + " lowers them";
    }
    return copies > 1 || subject.degree("pp") == subject.job().model().layers()
        ? "a larger mesh.tp lowers them"
        : "a larger mesh.pp or mesh.tp lowers them";
  }

  private static String lessActivations(Subject subject) {
    Recompute again = subject.training().checkpointing().recompute();
    if (again != Recompute.FULL) {
      boolean scores = !subject.training().kernels().flashAttention() && again == Recompute.NONE;
      return "training.recompute: " + (scores ? "selective" : "full") + " lowers them";
    }
    if (subject.batch().micro() > 1) {
      return "a smaller training.micro_batch lowers them";
    }
    return subject.degree("tp") > 1 && !subject.job().strategy().tensor().sequenceParallel()
        ? "training.sequence_parallel lowers them"
        : "a larger mesh.tp or mesh.cp lowers them";
  }

  /** Full recomputation runs the forward pass of the layers once more. */
  static Optional<Diagnostic> recomputationIsNotNeeded(Subject subject) {
    double has = memory(subject);
    if (has == 0 || subject.training().checkpointing().recompute() == Recompute.NONE) {
      return Optional.empty();
    }
    long needs = subject.kept().get().peakMemoryBytes();
    if (needs > has) {
      return Optional.empty();
    }
    long again = 0;
    long all = 0;
    for (Analysis.OfClass each : subject.analysis().classes()) {
      again = Math.addExact(again, each.flops().getOrDefault(Phase.RECOMPUTE, 0L));
      all = Math.addExact(all, Sums.of(each.flops().values()));
    }
    return subject.warn(
        "training.recompute",
        String.format(
            Locale.ROOT,
            "is not needed: without it ranks need %.1f of the %.1f GiB of the device, and compute"
                + " %.0f %% less",
            needs / GIB,
            has / GIB,
            100.0 * again / all),
        "Set it to none.");
  }

  /** Bytes of the device; 0 if nothing is known of it. */
  private static double memory(Subject subject) {
    return subject.job().platform().usableBytes().orElse(0.0);
  }
}
