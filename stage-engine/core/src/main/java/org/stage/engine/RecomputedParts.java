package org.stage.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.stage.analyze.Analyzer;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.job.ActivationCheckpointing.Recompute;
import org.stage.job.Job;
import org.stage.job.NamePattern;
import org.stage.plan.JobPlan;
import org.stage.plan.StepPlan;

/**
 * The plan of a job whose listed parts run again, but for those that would raise the peak of a
 * rank.
 *
 * <p>What a part makes again is alive at once, with what it needs meanwhile; where little else is
 * kept, as in a stage of one layer, this can be more than was saved. If the whole list does so, its
 * parts are taken one by one, as they are listed, and each that raises a peak above that without
 * repetition stays out, on all ranks: a list never needs more memory than none.
 *
 * @param plan the plan
 * @param leftOut parts that would raise a peak
 */
record RecomputedParts(JobPlan plan, List<NamePattern> leftOut) {
  /** Copies the list. */
  RecomputedParts {
    leftOut = List.copyOf(leftOut);
  }

  /**
   * The parts of a job.
   *
   * @param planned the plan of a job that differs from it in them alone
   */
  static RecomputedParts of(Job job, Function<Job, JobPlan> planned) {
    JobPlan all = planned.apply(job);
    if (job.training().checkpointing().recompute() != Recompute.MODULES) {
      return new RecomputedParts(all, List.of());
    }
    List<Long> none = peaks(planned.apply(job.withoutRecomputation()));
    if (isWithin(peaks(all), none)) {
      return new RecomputedParts(all, List.of());
    }
    List<NamePattern> taken = new ArrayList<>();
    List<NamePattern> leftOut = new ArrayList<>();
    for (NamePattern part : job.training().checkpointing().modules().patterns()) {
      List<NamePattern> more = new ArrayList<>(taken);
      more.add(part);
      boolean fits = isWithin(peaks(planned.apply(job.recomputing(more))), none);
      (fits ? taken : leftOut).add(part);
    }
    return new RecomputedParts(planned.apply(job.recomputing(taken)), leftOut);
  }

  private static List<Long> peaks(JobPlan plan) {
    return Analyzer.memory(plan).stream().map(each -> each.peak().memory().peak()).toList();
  }

  private static boolean isWithin(List<Long> peaks, List<Long> bounds) {
    for (int i = 0; i < peaks.size(); i++) {
      if (peaks.get(i) > bounds.get(i)) {
        return false;
      }
    }
    return true;
  }

  /** Warnings about parts that are left out, and about those that free nothing. */
  List<Diagnostic> warnings() {
    List<Diagnostic> warnings = new ArrayList<>();
    warning(leftOut, "would raise the peak of a rank if they ran again, and do not")
        .ifPresent(warnings::add);
    List<NamePattern> idle =
        plan.job().training().checkpointing().modules().patterns().stream()
            .filter(part -> plan.stepPlans().stream().noneMatch(stage -> repeats(stage, part)))
            .toList();
    warning(idle, "free nothing that is kept, and do not run again").ifPresent(warnings::add);
    return warnings;
  }

  private static boolean repeats(StepPlan stage, NamePattern part) {
    return stage.units().stream()
        .map(StepPlan.Unit::plan)
        .distinct()
        .flatMap(unit -> unit.recomputed().instructions().stream())
        .anyMatch(each -> part.covers(each.name()));
  }

  private Optional<Diagnostic> warning(List<NamePattern> parts, String what) {
    if (parts.isEmpty()) {
      return Optional.empty();
    }
    String names = parts.stream().map(NamePattern::text).collect(Collectors.joining(", "));
    String file = plan.job().origins().file().file();
    return Optional.of(
        Diagnostic.warning(
            file + ", training.recompute", "'" + names + "' " + what, "Remove them."));
  }
}
