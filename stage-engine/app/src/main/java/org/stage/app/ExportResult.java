package org.stage.app;

import java.util.List;
import org.stage.api.workload.RankSet;
import org.stage.api.workload.Workload;
import org.stage.host.ExportRun;

/**
 * What was exported.
 *
 * @param workload of all jobs; its classes build their graphs when asked
 * @param ranks those whose files were wanted
 * @param exports one for each exporter, in the order asked for
 */
public record ExportResult(Workload workload, RankSet ranks, List<ExportRun.Result> exports) {
  /** Copies the list. */
  public ExportResult {
    exports = List.copyOf(exports);
  }
}
