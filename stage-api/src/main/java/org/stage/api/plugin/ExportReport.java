package org.stage.api.plugin;

import java.util.List;
import org.stage.api.diagnostic.Diagnostic;

/**
 * The result of an export.
 *
 * @param nodes nodes written, over all ranks
 * @param notes losses and warnings: what the target format cannot say, what the user should know
 */
public record ExportReport(long nodes, List<Diagnostic> notes) {
  /** Copies the list. */
  public ExportReport {
    notes = List.copyOf(notes);
  }
}
