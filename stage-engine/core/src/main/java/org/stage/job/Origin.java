package org.stage.job;

import org.stage.api.diagnostic.InputException;

/**
 * Where a value stands, for messages of any room that finds something wrong with it.
 *
 * @param file the file as typed, or {@link #OPTION} for a value of the command line
 * @param line counted from 1; 0 for the file as a whole
 * @param key path of its key: {@code mesh.tp}; empty for the file as a whole
 */
public record Origin(String file, int line, String key) {
  /** Stands for the file in values that came from the command line. */
  public static final String OPTION = "--set";

  /** The place of a key in the same line. */
  public Origin at(String other) {
    return new Origin(file, line, other);
  }

  /** That what stands here is wrong. */
  public InputException fault(String message, String remedy) {
    return new InputException(toString(), message, remedy);
  }

  /** Whether the value came from the command line. */
  public boolean isOption() {
    return file.equals(OPTION);
  }

  /** The same without the file: {@code line 3, mesh.tp}. */
  public String within() {
    if (isOption()) {
      return key.isEmpty() ? OPTION : OPTION + " " + key;
    }
    String where = line > 0 ? "line " + line : "";
    return where.isEmpty() || key.isEmpty() ? where + key : where + ", " + key;
  }

  /** {@code llama.yaml, line 3, mesh.tp} or {@code --set mesh.tp}. */
  @Override
  public String toString() {
    String within = within();
    return isOption() ? within : within.isEmpty() ? file : file + ", " + within;
  }
}
