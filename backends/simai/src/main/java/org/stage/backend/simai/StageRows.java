package org.stage.backend.simai;

import java.util.List;
import org.stage.backend.simai.format.Row;

/**
 * A pipeline stage, translated.
 *
 * @param stage from 0
 * @param microBatches in a step
 * @param rows of all of them
 * @param totals of its graph
 * @param losses what they do not say
 */
record StageRows(int stage, int microBatches, List<Row> rows, Totals totals, Losses losses) {
  StageRows {
    rows = List.copyOf(rows);
  }
}
