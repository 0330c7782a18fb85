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
    if (file.equals(OPTION)) {
      return key.isEmpty() ? OPTION : OPTION + " " + key;
    }
    String where = line > 0 ? file + ", line " + line : file;
    return key.isEmpty() ? where : where + ", " + key;
  }
}
