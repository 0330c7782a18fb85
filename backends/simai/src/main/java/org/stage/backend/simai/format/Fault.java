package org.stage.backend.simai.format;

/**
 * Something wrong with a file.
 *
 * @param level how bad it is
 * @param line where, from 1
 * @param message what was found
 * @param remedy what the simulator does with it, or what to do
 */
public record Fault(Level level, int line, String message, String remedy) {
  /** How bad a fault is. */
  public enum Level {
    /** The simulator fails, hangs, or gives nonsense. */
    ERROR,
    /** The simulator gives another result than was probably meant. */
    WARNING,
    /** Worth knowing. */
    NOTE
  }
}
