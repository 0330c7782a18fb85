package org.stage.app;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A job.
 *
 * @param file its workload file, YAML or JSON
 * @param overrides keys over those of the file, as {@code mesh.tp=8}; the last one wins
 * @param profiles profiles whose durations are used beside those that the file names
 */
public record JobRequest(Path file, List<String> overrides, List<Path> profiles) {
  /** Copies the lists. */
  public JobRequest {
    overrides = List.copyOf(overrides);
    profiles = List.copyOf(profiles);
  }

  /** A file as it is. */
  public static JobRequest of(Path file) {
    return new JobRequest(file, List.of(), List.of());
  }

  /** The same with other overrides. */
  JobRequest withOverrides(List<String> others) {
    return new JobRequest(file, others, profiles);
  }

  /** The same under another name. */
  JobRequest named(String name) {
    String quoted = '"' + name.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    Stream<String> all = Stream.concat(overrides.stream(), Stream.of("name=" + quoted));
    return new JobRequest(file, all.toList(), profiles);
  }
}
