package org.stage.api.diagnostic;

/** How bad a {@link Diagnostic} is. */
public enum Severity {
  /** The result is not usable. */
  ERROR,
  /** The result is usable, but probably not what was meant. */
  WARNING,
  /** Worth knowing. */
  NOTE
}
