package org.stage.api.plugin;

import java.util.List;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.Severity;

/**
 * The result of an export. The host prints notes and losses, and writes them as {@code
 * export-report.json} beside the files, whose name is the host's.
 *
 * @param nodes nodes written, over all ranks
 * @param notes what the user should know: what was assumed, what to mind
 * @param losses what the workload says and the target format cannot
 */
public record ExportReport(long nodes, List<Diagnostic> notes, List<Diagnostic> losses) {
  /** Copies the lists. */
  public ExportReport {
    notes = List.copyOf(notes);
    losses = List.copyOf(losses);
  }

  /** An export that does not tell losses from notes. */
  public ExportReport(long nodes, List<Diagnostic> notes) {
    this(nodes, notes, List.of());
  }

  /**
   * Whether {@code --fail-if-lossy} is to refuse it: something was lost, or there is a warning,
   * which may be one of an exporter that does not tell losses from notes.
   */
  public boolean lossy() {
    return !losses.isEmpty()
        || notes.stream().anyMatch(note -> note.severity() == Severity.WARNING);
  }
}
