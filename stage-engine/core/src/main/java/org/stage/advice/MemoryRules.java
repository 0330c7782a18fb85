package org.stage.advice;

import java.util.Locale;
import java.util.Optional;
import org.stage.advice.Advice.Job;
import org.stage.analyze.Analysis;
import org.stage.analyze.Memory;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.workload.Phase;
import org.stage.arithmetic.Sums;
import org.stage.spec.Training;
import org.stage.spec.Training.Recompute;

/** Memory of the device against what a job needs. */
final class MemoryRules {
  private static final double GIB = 1L << 30;

  private MemoryRules() {}

  static Optional<Diagnostic> deviceIsTooSmall(Job job) {
    double has = memory(job);
    long needs = job.analysis().peakMemoryBytes();
    if (has == 0 || needs <= has) {
      return Optional.empty();
    }
    Analysis.OfClass worst = worst(job.analysis());
    return job.warn(
        "hardware",
        String.format(
            Locale.ROOT,
            "ranks of stage %d need %.1f GiB at their peak, %.1f GiB more than the %.1f GiB of the"
                + " device",
            worst.stage(),
            needs / GIB,
            (needs - has) / GIB,
            has / GIB),
        remedy(job, worst.memory()));
  }

  private static Analysis.OfClass worst(Analysis analysis) {
    Analysis.OfClass worst = analysis.classes().get(0);
    for (Analysis.OfClass each : analysis.classes()) {
      worst = each.memory().peak() > worst.memory().peak() ? each : worst;
    }
    return worst;
  }

  private static String remedy(Job job, Memory memory) {
    long states = memory.parameters() + memory.gradients() + memory.optimizer();
    boolean activations = memory.activations() > states;
    String most = activations ? "activations" : "model states";
    return String.format(
        Locale.ROOT,
        "Most of it: %s, %.1f GiB; %s.",
        most,
        (activations ? memory.activations() : states) / GIB,
        activations ? lessActivations(job) : lessStates(job));
  }

  private static String lessStates(Job job) {
    int zero = job.training().sharding().zero();
    int copies = job.degree("dp") * job.degree("cp") * job.degree("ep");
    if (zero < 3 && copies > 1) {
      return "training.zero " + (zero + 1) + " lowers them";
    }
    return copies > 1 || job.degree("pp") == job.spec().model().layers()
        ? "a larger mesh.tp lowers them"
        : "a larger mesh.pp or mesh.tp lowers them";
  }

  private static String lessActivations(Job job) {
    Training training = job.training();
    if (training.recompute() != Recompute.FULL) {
      boolean scores = !training.flashAttention() && training.recompute() == Recompute.NONE;
      return "training.recompute: " + (scores ? "selective" : "full") + " lowers them";
    }
    if (training.microBatch() > 1) {
      return "a smaller training.micro_batch lowers them";
    }
    return job.degree("tp") > 1 && !training.sequenceParallel()
        ? "training.sequence_parallel lowers them"
        : "a larger mesh.tp or mesh.cp lowers them";
  }

  /** Full recomputation runs the forward pass of the layers once more. */
  static Optional<Diagnostic> recomputationIsNotNeeded(Job job) {
    double has = memory(job);
    if (has == 0 || job.training().recompute() == Recompute.NONE) {
      return Optional.empty();
    }
    long needs = job.kept().get().peakMemoryBytes();
    if (needs > has) {
      return Optional.empty();
    }
    long again = 0;
    long all = 0;
    for (Analysis.OfClass each : job.analysis().classes()) {
      again = Math.addExact(again, each.flops().getOrDefault(Phase.RECOMPUTE, 0L));
      all = Math.addExact(all, Sums.of(each.flops().values()));
    }
    return job.warn(
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
  private static double memory(Job job) {
    return job.spec().hardware().map(device -> device.memoryGb() * 1e9).orElse(0.0);
  }
}
