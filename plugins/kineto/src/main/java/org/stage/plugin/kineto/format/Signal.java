package org.stage.plugin.kineto.format;

/**
 * Ways in which reading a value in the window ends early. They are control flow, taken once for
 * each broken event and each refill, so they carry no stack trace.
 */
// without stack traces, one object serves for all
@SuppressWarnings("StaticAssignmentOfThrowable")
final class Signal extends RuntimeException {
  /** The window ends within the value. */
  static final Signal NEED_MORE = new Signal("the window ends");

  /** What stands there is no JSON, by any reading. */
  static final Signal BROKEN = new Signal("broken");

  private static final long serialVersionUID = 1L;

  private Signal(String message) {
    super(message, null, false, false);
  }
}
