package org.stage.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.stage.app.JobRequest;
import picocli.CommandLine.Option;

/** What is overridden in workload files, and what was measured beside them. */
final class ChangeOptions {
  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = {
        "Overrides a key of the file (of each, if there are several) by its path, for example"
            + " mesh.tp=8 or network[1].gb_per_s=25; in synth an option of an exporter too, as"
            + " dot.rank=3.",
        "May be given again."
      })
  private List<String> overrides = new ArrayList<>();

  @Option(
      names = "--profile",
      paramLabel = "FILE",
      arity = "1..*",
      description = {
        "Profiles of a real run, whose durations are used beside those that the file names.",
        "Stands behind the workload file."
      })
  private List<Path> profiles = new ArrayList<>();

  JobRequest in(Path file) {
    return new JobRequest(file, overrides, profiles);
  }
}
