package org.stage.cli;

/** What the process says to its caller. */
final class ExitCode {
  /** Done. */
  static final int DONE = 0;

  /** The work failed, or {@code validate} found faults. */
  static final int FAILED = 1;

  /** The input is wrong. */
  static final int WRONG_INPUT = 2;

  private ExitCode() {}
}
