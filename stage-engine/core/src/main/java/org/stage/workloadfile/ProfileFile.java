package org.stage.workloadfile;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.stage.job.NamePattern;
import org.stage.job.Origin;

/**
 * A file of a profiler whose durations are to be used.
 *
 * @param file a file that exists
 * @param importer the importer that is to read it; empty if it is to be found
 * @param options the importer's options as typed
 * @param only the names for which it is used; empty for all
 * @param origin where it is named
 */
public record ProfileFile(
    Path file,
    String importer,
    Map<String, String> options,
    Optional<NamePattern> only,
    Origin origin) {
  /** Copies the map. */
  public ProfileFile {
    options = Map.copyOf(options);
  }
}
