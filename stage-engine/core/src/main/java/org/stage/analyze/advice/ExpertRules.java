package org.stage.analyze.advice;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.stage.analyze.advice.Advice.Subject;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.arithmetic.Sums;
import org.stage.job.ExpertRows;
import org.stage.job.Job;

/** Where experts are not equally loaded, and which rows exceed their capacity. */
final class ExpertRules {
  private ExpertRules() {}

  static Optional<Diagnostic> ranksWaitForTheFullest(Subject subject) {
    List<ExpertRows> layers = layers(subject.job());
    if (layers.isEmpty()) {
      return Optional.empty();
    }
    ExpertRows fullest = Collections.max(layers, Comparator.comparingDouble(ExpertRows::imbalance));
    if (fullest.most() == Collections.min(fullest.received())) {
      return Optional.empty();
    }
    return subject.warn(
        "training.expert_load",
        String.format(
            Locale.ROOT,
            "the fullest of %d expert-parallel ranks has %.2f times the mean rows in layers.%d, and"
                + " the others wait for it",
            fullest.received().size(),
            fullest.imbalance(),
            subject.job().model().layersWithExperts().toArray()[layers.indexOf(fullest)]),
        "");
  }

  static Optional<Diagnostic> rowsAreDropped(Subject subject) {
    List<ExpertRows> layers = layers(subject.job());
    long dropped = Sums.of(layers.stream().mapToLong(ExpertRows::dropped));
    if (dropped == 0) {
      return Optional.empty();
    }
    long chosen = Sums.of(layers.stream().mapToLong(ExpertRows::chosen));
    return subject.warn(
        "training.expert_capacity",
        String.format(
            Locale.ROOT,
            "%.2f %% of the rows exceed the capacity of their experts and are dropped",
            100.0 * dropped / chosen),
        "Raise the factor to drop fewer.");
  }

  static Optional<Diagnostic> ranksDispatchTheSameTokens(Subject subject) {
    int tp = subject.degree("tp");
    boolean parts = subject.job().strategy().tensor().sequenceParallel();
    return tp == 1 || parts || subject.job().model().experts().isEmpty()
        ? Optional.empty()
        : subject.warn(
            "training.sequence_parallel",
            "is false: each of "
                + tp
                + " tensor-parallel ranks routes and dispatches all tokens, as servers do;"
                + " Megatron-LM refuses to train experts so",
            "Set it to true.");
  }

  /** The rows of the layers with experts, in order. */
  private static List<ExpertRows> layers(Job job) {
    List<ExpertRows> all = ExpertRows.of(job);
    return all.isEmpty() ? all : job.model().layersWithExperts().mapToObj(all::get).toList();
  }
}
