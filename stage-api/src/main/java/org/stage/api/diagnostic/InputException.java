package org.stage.api.diagnostic;

/**
 * The input is wrong: a user can mend it. Reported as its diagnostic alone, without a stack trace;
 * the command line exits with 2.
 */
public class InputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Diagnostic diagnostic;

  /** Reports {@code diagnostic}. */
  public InputException(Diagnostic diagnostic) {
    super(diagnostic.toString());
    this.diagnostic = diagnostic;
  }

  /** Reports an error at {@code source}. */
  public InputException(String source, String message, String remedy) {
    this(Diagnostic.error(source, message, remedy));
  }

  /** What is wrong. */
  public Diagnostic diagnostic() {
    return diagnostic;
  }
}
