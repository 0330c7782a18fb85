package org.stage.workloadfile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.stage.job.Job;

/**
 * Workload files for tests, from the text that a user would write; but gradients are clipped only
 * where it says so, as closed forms of other things count no norm.
 */
public final class JobText {
  private JobText() {}

  /** The job of a file. */
  public static Job job(String yaml, String... overrides) {
    return read(yaml, overrides).job();
  }

  /** The whole file. */
  public static WorkloadFile read(String yaml, String... overrides) {
    return read(yaml, file -> WorkloadReader.read(file, List.of(overrides)));
  }

  /** A file as {@code reader} reads it. */
  public static WorkloadFile read(String yaml, Function<Path, WorkloadFile> reader) {
    try {
      Path file = Files.createTempFile("job", ".yaml");
      try {
        String whole =
            yaml.contains("grad_clip")
                ? yaml
                : yaml.replaceFirst("training: \\{", "training: {grad_clip: false, ");
        Files.writeString(file, whole);
        return reader.apply(file);
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
