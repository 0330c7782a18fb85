package org.stage.backend.simai.format;

/**
 * What rows are checked against.
 *
 * @param fields of a row
 * @param tp ranks of the tensor-parallel group; 0 if unknown
 * @param ep ranks of the expert-parallel group; 0 if unknown
 * @param dp ranks of the data-parallel group; 0 if unknown
 */
record Degrees(int fields, int tp, int ep, int dp) {
  /** Fields of a row. */
  static final int FIELDS = 12;

  static Degrees unknown(int fields) {
    return new Degrees(fields, 0, 0, 0);
  }

  /** The ranks that SimAI prices a word for. */
  int ranks(String suffix, boolean weightColumn) {
    if (weightColumn) {
      return suffix.equals("_DP_EP") ? dp / Math.max(1, ep) : dp;
    }
    return suffix.equals("_EP") ? ep : tp;
  }
}
