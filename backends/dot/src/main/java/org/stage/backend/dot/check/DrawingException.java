package org.stage.backend.dot.check;

/** A drawing that Graphviz would not read. */
final class DrawingException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int line;

  DrawingException(int line, String problem) {
    super(problem);
    this.line = line;
  }

  /** Where, from 1. */
  int line() {
    return line;
  }
}
