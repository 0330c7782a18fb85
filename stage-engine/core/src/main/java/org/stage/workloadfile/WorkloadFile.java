package org.stage.workloadfile;

import java.util.List;
import java.util.Map;
import org.stage.job.InjectedDuration;
import org.stage.job.Job;

/**
 * A workload file, read and checked.
 *
 * @param job what is asked for
 * @param exports what to write
 * @param profiles the profiles whose durations are to be used, to be read by whoever knows how
 * @param durations what is set by hand, the last one winning
 */
public record WorkloadFile(
    Job job, List<Export> exports, List<ProfileFile> profiles, List<InjectedDuration> durations) {
  /** Copies the lists. */
  public WorkloadFile {
    exports = List.copyOf(exports);
    profiles = List.copyOf(profiles);
    durations = List.copyOf(durations);
  }

  /**
   * One requested export.
   *
   * @param to name of the exporter
   * @param options its options as typed
   */
  public record Export(String to, Map<String, String> options) {
    /** Copies the map. */
    public Export {
      options = Map.copyOf(options);
    }
  }
}
