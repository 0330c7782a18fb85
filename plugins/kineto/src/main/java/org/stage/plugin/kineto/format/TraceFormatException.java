package org.stage.plugin.kineto.format;

/** A file that is no profile, or of which nothing can be used. */
public final class TraceFormatException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String problem;
  private final String remedy;

  /**
   * Says what is wrong.
   *
   * @param problem what was found, and where in the file
   * @param remedy what to do, as a sentence; may be empty
   */
  public TraceFormatException(String problem, String remedy) {
    super(problem);
    this.problem = problem;
    this.remedy = remedy;
  }

  /** What was found, and where in the file. */
  public String problem() {
    return problem;
  }

  /** What to do; may be empty. */
  public String remedy() {
    return remedy;
  }
}
