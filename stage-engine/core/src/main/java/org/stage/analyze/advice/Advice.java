package org.stage.analyze.advice;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.stage.analyze.Analysis;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.job.Batch;
import org.stage.job.Job;
import org.stage.job.Origin;
import org.stage.job.Training;

/** What is wasteful about a job, a warning each; what is impossible the reader has refused. */
public final class Advice {
  private static final List<Function<Subject, Optional<Diagnostic>>> RULES =
      List.of(
          MeshRules::tensorParallelismLeavesTheNode,
          MeshRules::headsAreReplicated,
          MeshRules::keyValueHeadsAreReplicated,
          MeshRules::microBatchesDoNotFillThePipeline,
          MeshRules::sequencesAreTooShortToSplit,
          MeshRules::expertsGetNoTokens,
          MeshRules::vocabularyIsMostlyPadding,
          ExpertRules::ranksWaitForTheFullest,
          ExpertRules::rowsAreDropped,
          ExpertRules::ranksDispatchTheSameTokens,
          TrainingRules::zeroShardsOverOneRank,
          TrainingRules::zeroGathersForEveryMicroBatch,
          TrainingRules::sequenceParallelismNeedsTensorParallelism,
          TrainingRules::contextParallelismNeedsRanks,
          TrainingRules::capacityNeedsExperts,
          TrainingRules::dropoutIsNotInTheModel,
          TrainingRules::ruleNamesAnAxisOfOneDevice,
          TrainingRules::zeroGroupsOfOne,
          TrainingRules::expertTpGoesBeforeARule,
          MemoryRules::deviceIsTooSmall,
          MemoryRules::recomputationIsNotNeeded);

  private Advice() {}

  /**
   * What rules look at.
   *
   * @param job what was asked for
   * @param analysis what it costs
   * @param kept what it would cost without recomputation
   */
  record Subject(Job job, Analysis analysis, Supplier<Analysis> kept) {
    int degree(String axis) {
      return job.mesh().degree(axis);
    }

    Training training() {
      return job.training();
    }

    Batch batch() {
      return job.training().batch();
    }

    /**
     * Whether the file of the job, or the command line, says a key; a preset's keys do not count.
     */
    boolean says(String key) {
      Origin origin = job.origins().byKey().get(key);
      return origin != null
          && (origin.isOption() || origin.file().equals(job.origins().file().file()));
    }

    Optional<Diagnostic> warn(String key, String message, String remedy) {
      String file = job.origins().file().file();
      return Optional.of(Diagnostic.warning(file + ", " + key, message, remedy));
    }
  }

  /**
   * The warnings about a job.
   *
   * @param kept what it would cost without recomputation; asked only if that matters
   */
  public static List<Diagnostic> of(Job job, Analysis analysis, Supplier<Analysis> kept) {
    Subject subject = new Subject(job, analysis, kept);
    return Stream.concat(
            IdleKeys.of(subject).stream(),
            RULES.stream().flatMap(rule -> rule.apply(subject).stream()))
        .toList();
  }
}
