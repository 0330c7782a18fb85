package org.stage.engine;

import java.util.List;
import org.stage.analyze.Analysis;
import org.stage.calibrate.KnownTimes;
import org.stage.job.Job;
import org.stage.workloadfile.JobText;
import org.stage.workloadfile.ModelResolver;
import org.stage.workloadfile.WorkloadFile;
import org.stage.workloadfile.WorkloadReader;

/** Workloads for tests, from the text that a user would write. */
final class Jobs {
  private Jobs() {}

  static Job spec(String yaml, String... overrides) {
    return JobText.job(yaml, overrides);
  }

  /** The same for one of several jobs on one network. */
  static Job shared(String yaml, String... overrides) {
    return JobText.read(
            yaml, file -> WorkloadReader.readShared(file, List.of(overrides), ModelResolver.NONE))
        .job();
  }

  static Synthesis job(String yaml, String... overrides) {
    WorkloadFile file = JobText.read(yaml, overrides);
    return Synthesis.of(file.job(), new KnownTimes(List.of(), file.durations()));
  }

  /**
   * Elements of one kind of traffic of a class, over one group or, with an empty axis, over all.
   */
  static long elements(Analysis.OfClass of, String kind, String axis) {
    return of.traffic().stream()
        .filter(t -> t.kind().equals(kind) && (axis.isEmpty() || t.axis().equals(axis)))
        .mapToLong(Analysis.Traffic::elements)
        .sum();
  }

  static long count(Analysis.OfClass of, String kind, String axis) {
    return of.traffic().stream()
        .filter(t -> t.kind().equals(kind) && (axis.isEmpty() || t.axis().equals(axis)))
        .mapToLong(Analysis.Traffic::count)
        .sum();
  }
}
