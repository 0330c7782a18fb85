package org.stage.app;

import java.util.ArrayList;
import java.util.List;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.WorkException;
import org.stage.api.workload.RankSet;
import org.stage.api.workload.Workload;
import org.stage.host.ExportRun;

/**
 * The exports of one call. The output is prepared before any work is done, and closing removes what
 * was not finished.
 */
final class Exporting implements AutoCloseable {
  private final ExportPlan plan;
  private final boolean failIfLossy;
  private final Listener listener;
  private final ExportRun run;

  Exporting(ExportPlan plan, Output output, Listener listener) {
    this.plan = plan;
    this.failIfLossy = output.failIfLossy();
    this.listener = listener;
    this.run =
        ExportRun.open(
            output.folder(),
            plan.names(),
            output.force(),
            begun -> listener.filesAtStake(new Listener.Unfinished(begun.folders(), begun::close)));
  }

  /**
   * Runs the exporters in turn; the listener is told what each reports.
   *
   * @param losses what was lost before, in reading the job
   * @throws WorkException if one fails; or if something is lost, and that is not wanted
   */
  ExportResult export(Workload workload, RankSet wanted, List<Diagnostic> losses) {
    List<ExportRun.Result> results = new ArrayList<>();
    for (ExportPlan.Item item : plan.items()) {
      listener.checkCancelled();
      ExportRun.Result result = prepare(item, workload, wanted, losses);
      List<Diagnostic> lost = result.report().losses();
      // those of the reading were said then, and would be said again for each format
      lost.subList(losses.size(), lost.size()).forEach(listener::say);
      result.report().notes().forEach(listener::say);
      if (!failIfLossy) {
        run.publish(item.exporter(), result);
      } else if (result.report().lossy()) {
        throw lossy(item, result);
      }
      results.add(result);
    }
    for (int i = 0; failIfLossy && i < results.size(); i++) {
      run.publish(plan.items().get(i).exporter(), results.get(i));
    }
    return new ExportResult(workload, wanted, results);
  }

  private ExportRun.Result prepare(
      ExportPlan.Item item, Workload workload, RankSet wanted, List<Diagnostic> losses) {
    try (Listener.Task progress = listener.begin(item.exporter().name())) {
      return run.prepare(
          item.exporter(),
          new ExportRun.Request(
              workload, item.options(), wanted, progress, listener::checkCancelled, losses));
    }
  }

  private static WorkException lossy(ExportPlan.Item item, ExportRun.Result result) {
    int losses = result.report().losses().size();
    return new WorkException(
        "--fail-if-lossy",
        "the export to "
            + item.exporter().name()
            + (losses == 0 ? " has warnings" : " loses something (" + losses + " said above)"),
        "Nothing was written; run without --fail-if-lossy to accept that.");
  }

  @Override
  public void close() {
    run.close();
  }
}
