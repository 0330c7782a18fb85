package org.stage.app;

import java.nio.file.Path;
import java.util.List;

/**
 * What is to be synthesized and exported.
 *
 * @param jobs at least one; several lie side by side on one network, and the first names exports
 *     and network
 * @param places the ranks of each job, as {@code 0-3+6-9,4-5}; empty for one job after the other
 * @param name the prefix of exported files; empty for that of the first file
 * @param slow ranks whose kernels take longer, with the factor, as {@code 5-7:1.3}
 * @param exporters the exporters to run; empty for those that the first file names
 * @param output where files go
 */
public record SynthRequest(
    List<JobRequest> jobs,
    String places,
    String name,
    List<String> slow,
    List<String> exporters,
    Output output) {
  /** Copies the lists. */
  public SynthRequest {
    jobs = List.copyOf(jobs);
    slow = List.copyOf(slow);
    exporters = List.copyOf(exporters);
  }

  /** The same of other jobs. */
  SynthRequest withJobs(List<JobRequest> others) {
    return new SynthRequest(others, places, name, slow, exporters, output);
  }

  /** One job as its file says. */
  public static SynthRequest of(JobRequest job, Path folder) {
    return new SynthRequest(List.of(job), "", "", List.of(), List.of(), Output.to(folder));
  }
}
