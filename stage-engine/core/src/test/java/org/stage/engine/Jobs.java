package org.stage.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.stage.analyze.Analysis;
import org.stage.calibrate.KnownTimes;
import org.stage.job.Job;
import org.stage.workloadfile.ModelResolver;
import org.stage.workloadfile.WorkloadFile;
import org.stage.workloadfile.WorkloadReader;

/** Workloads for tests, from the text that a user would write. */
final class Jobs {
  private Jobs() {}

  static Job spec(String yaml, String... overrides) {
    return read(yaml, file -> WorkloadReader.read(file, List.of(overrides))).job();
  }

  private static WorkloadFile read(String yaml, Function<Path, WorkloadFile> reader) {
    try {
      Path file = Files.createTempFile("job", ".yaml");
      try {
        Files.writeString(file, yaml);
        return reader.apply(file);
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The same for one of several jobs on one network. */
  static Job shared(String yaml, String... overrides) {
    return read(
            yaml, file -> WorkloadReader.readShared(file, List.of(overrides), ModelResolver.NONE))
        .job();
  }

  static Synthesis job(String yaml, String... overrides) {
    WorkloadFile file = read(yaml, path -> WorkloadReader.read(path, List.of(overrides)));
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
