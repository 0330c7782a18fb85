package org.stage.advice;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.stage.analyze.Analysis;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.spec.Training;
import org.stage.spec.WorkloadSpec;

/** What is wasteful about a job, a warning each; what is impossible the reader has refused. */
public final class Advice {
  private static final List<Function<Job, Optional<Diagnostic>>> RULES =
      List.of(
          MeshRules::tensorParallelismLeavesTheNode,
          MeshRules::keyValueHeadsAreReplicated,
          MeshRules::microBatchesDoNotFillThePipeline,
          MeshRules::sequencesAreTooShortToSplit,
          MeshRules::expertsGetNoTokens,
          MeshRules::vocabularyIsMostlyPadding,
          ExpertRules::ranksWaitForTheFullest,
          ExpertRules::rowsAreDropped,
          TrainingRules::zeroShardsOverOneRank,
          TrainingRules::zeroGathersForEveryMicroBatch,
          TrainingRules::sequenceParallelismNeedsTensorParallelism,
          TrainingRules::contextParallelismNeedsRanks,
          TrainingRules::capacityNeedsExperts,
          TrainingRules::dropoutIsNotInTheModel,
          TrainingRules::ruleNamesAnAxisOfOneDevice,
          MemoryRules::deviceIsTooSmall,
          MemoryRules::recomputationIsNotNeeded);

  private Advice() {}

  /**
   * What rules look at.
   *
   * @param spec what was asked for
   * @param analysis what it costs
   * @param kept what it would cost without recomputation
   */
  record Job(WorkloadSpec spec, Analysis analysis, Supplier<Analysis> kept) {
    int degree(String axis) {
      return spec.mesh().degree(axis);
    }

    Training training() {
      return spec.training();
    }

    Optional<Diagnostic> warn(String key, String message, String remedy) {
      return Optional.of(Diagnostic.warning(spec.source() + ", " + key, message, remedy));
    }
  }

  /**
   * The warnings about a job.
   *
   * @param kept what it would cost without recomputation; asked only if that matters
   */
  public static List<Diagnostic> of(WorkloadSpec spec, Analysis analysis, Supplier<Analysis> kept) {
    Job job = new Job(spec, analysis, kept);
    return RULES.stream().flatMap(rule -> rule.apply(job).stream()).toList();
  }
}
