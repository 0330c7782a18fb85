package org.stage.api.diagnostic;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The input is wrong: a user can mend it. Reported as its diagnostics alone, a line each, without a
 * stack trace; the command line exits with 2.
 */
public class InputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<Diagnostic> diagnostics;

  /** Reports {@code diagnostic}. */
  public InputException(Diagnostic diagnostic) {
    this(List.of(diagnostic));
  }

  /**
   * Reports all that is wrong with one input.
   *
   * @param diagnostics at least one, the one to mend first before the others
   */
  public InputException(List<Diagnostic> diagnostics) {
    super(diagnostics.stream().map(Diagnostic::toString).collect(Collectors.joining("\n")));
    this.diagnostics = List.copyOf(diagnostics);
  }

  /** Reports an error at {@code source}. */
  public InputException(String source, String message, String remedy) {
    this(Diagnostic.error(source, message, remedy));
  }

  /** What is wrong, and to be mended first. */
  public Diagnostic diagnostic() {
    return diagnostics.get(0);
  }

  /** All that is wrong, the first of it first. */
  public List<Diagnostic> diagnostics() {
    return diagnostics;
  }
}
