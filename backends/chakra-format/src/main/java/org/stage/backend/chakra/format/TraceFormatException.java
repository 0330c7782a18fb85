package org.stage.backend.chakra.format;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file is not what it should be. Says which, where in it, and what was found. */
public final class TraceFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient Path file;
  private final long offset;
  private final String problem;

  TraceFormatException(Path file, long offset, String problem, @Nullable Throwable cause) {
    super(file + ": byte " + offset + ": " + problem, cause);
    this.file = file;
    this.offset = offset;
    this.problem = problem;
  }

  /** The damaged file. */
  public Path file() {
    return file;
  }

  /** Where the damaged part begins; in a compressed file, counted in what it unpacks to. */
  public long offset() {
    return offset;
  }

  /** What was found there. */
  public String problem() {
    return problem;
  }
}
