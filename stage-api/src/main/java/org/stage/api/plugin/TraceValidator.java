package org.stage.api.plugin;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.stage.api.diagnostic.Diagnostic;

/**
 * Checks files of one format the way its simulator would read them. Called by {@code stage
 * validate}, on one thread.
 */
public interface TraceValidator extends Plugin {
  /** Whether {@code directory} holds files of this format, judged without reading them whole. */
  boolean accepts(Path directory) throws IOException;

  /**
   * Checks the files under {@code directory}.
   *
   * @return what was looked at, and every fault found
   * @throws IOException if a file cannot be read
   */
  Validation validate(Path directory, Progress progress) throws IOException;

  /**
   * The result of a check.
   *
   * @param summary one line: what was looked at, for example {@code 32 ranks, 41,234 nodes}
   * @param diagnostics faults as errors, doubts as warnings
   */
  record Validation(String summary, List<Diagnostic> diagnostics) {
    /** Copies the list. */
    public Validation {
      diagnostics = List.copyOf(diagnostics);
    }
  }
}
