package org.stage.spec;

/**
 * Where a value stands, for messages.
 *
 * @param file the file as typed, or {@link #OPTION} for a value of the command line
 * @param line counted from 1; 0 for the file as a whole
 */
record Place(String file, int line) {
  /** Stands for the file in values that came from the command line. */
  static final String OPTION = "--set";

  /**
   * The place together with a key: {@code llama.yaml, line 3, mesh.tp} or {@code --set mesh.tp}.
   */
  String at(String key) {
    if (isOption()) {
      return within(key);
    }
    String within = within(key);
    return within.isEmpty() ? file : file + ", " + within;
  }

  /** The same without the file: {@code line 3, mesh.tp}. */
  String within(String key) {
    if (isOption()) {
      return key.isEmpty() ? OPTION : OPTION + " " + key;
    }
    String where = line > 0 ? "line " + line : "";
    return where.isEmpty() || key.isEmpty() ? where + key : where + ", " + key;
  }

  /** Whether the value came from the command line. */
  boolean isOption() {
    return file.equals(OPTION);
  }
}
