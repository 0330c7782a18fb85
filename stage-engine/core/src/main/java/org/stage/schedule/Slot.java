package org.stage.schedule;

/**
 * One pass of one micro-batch through one chunk of a pipeline rank.
 *
 * @param pass which pass
 * @param chunk index of the chunk on its rank
 * @param microBatch index of the micro-batch in the step
 */
public record Slot(Pass pass, int chunk, int microBatch) {
  /** {@code F3} or {@code B3}; on other chunks than the first {@code F3.1}. */
  @Override
  public String toString() {
    return pass.letter() + microBatch + (chunk == 0 ? "" : "." + chunk);
  }
}
