package org.stage.api.diagnostic;

import org.jspecify.annotations.Nullable;

/**
 * The input was right but the work failed: a full disk, an unwritable folder, a size beyond what
 * the format can say. Reported as its diagnostic alone; the command line exits with 1.
 */
public class WorkException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Diagnostic diagnostic;

  /** Reports an error at {@code source}. */
  public WorkException(String source, String message, String remedy) {
    this(source, message, remedy, null);
  }

  /** Reports an error at {@code source} that {@code cause} brought about. */
  public WorkException(String source, String message, String remedy, @Nullable Throwable cause) {
    super(Diagnostic.error(source, message, remedy).toString(), cause);
    this.diagnostic = Diagnostic.error(source, message, remedy);
  }

  /** What is wrong. */
  public Diagnostic diagnostic() {
    return diagnostic;
  }
}
