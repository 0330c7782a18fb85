package org.stage.backend.scalesim.format;

import java.io.IOException;
import java.nio.file.Path;

/** A file is not what it should be. Says which, where in it, and what was found. */
public final class FormatException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String source;
  private final String problem;

  FormatException(Path file, int line, String problem) {
    super(file + ", line " + line + ": " + problem);
    this.source = file + ", line " + line;
    this.problem = problem;
  }

  /** File and line. */
  public String source() {
    return source;
  }

  /** What was found there. */
  public String problem() {
    return problem;
  }
}
