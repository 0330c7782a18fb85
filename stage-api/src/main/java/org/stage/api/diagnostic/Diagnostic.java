package org.stage.api.diagnostic;

/**
 * One problem, in a form that prints as one line: {@code examples/llama.yaml, line 3, mesh.tp: 6
 * does not divide 32 attention heads. Nearest that do: 4, 8.}
 *
 * @param severity how bad it is
 * @param source where: a file with line and key, a JAR, a node; empty if nowhere in particular
 * @param message what was found and what was expected
 * @param remedy what to do, as a sentence; may be empty
 */
public record Diagnostic(Severity severity, String source, String message, String remedy) {
  /** An error. */
  public static Diagnostic error(String source, String message, String remedy) {
    return new Diagnostic(Severity.ERROR, source, message, remedy);
  }

  /** A warning. */
  public static Diagnostic warning(String source, String message, String remedy) {
    return new Diagnostic(Severity.WARNING, source, message, remedy);
  }

  /**
   * Source, message and remedy on one line, without severity; line breaks in them become blanks.
   */
  @Override
  public String toString() {
    String head = oneLine(source.isEmpty() ? message : source + ": " + message);
    return remedy.isEmpty()
        ? head
        : (head.endsWith(".") ? head : head + ".") + " " + oneLine(remedy);
  }

  private static String oneLine(String text) {
    return text.strip().replaceAll("\\s*\\R\\s*", " ");
  }
}
