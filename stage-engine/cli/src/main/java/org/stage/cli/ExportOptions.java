package org.stage.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.WorkException;
import org.stage.api.workload.RankSet;
import org.stage.api.workload.Workload;
import org.stage.host.Cancellation;
import org.stage.host.ExportRun;
import picocli.CommandLine.Option;

/** Where exports go, and of which ranks; and the exporting itself. */
final class ExportOptions {
  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Each exporter writes into a folder of its name in it (default: out).")
  private Path out = Path.of("out");

  @Option(
      names = "--ranks",
      paramLabel = "RANKS",
      description = "The ranks whose files are wanted, for example 0-7,64; by default all.")
  private String ranks = "";

  @Option(names = "--force", description = "Replaces output that is there already.")
  private boolean force;

  @Option(
      names = "--fail-if-lossy",
      description = "Fails, and leaves no output, where a format cannot say all.")
  private boolean failIfLossy;

  Path out() {
    return out;
  }

  RankSet wanted(int devices) {
    return RankOption.wanted(ranks, devices);
  }

  /** Prepares the output before any work is done. */
  ExportRun open(ExportPlan plan) {
    return ExportRun.open(out, plan.names(), force);
  }

  /**
   * Runs the exporters in turn, saying what each reports.
   *
   * @param losses what was lost before, in reading the job
   * @throws WorkException if one fails; or if something is lost, and that is not wanted
   */
  List<ExportRun.Result> export(
      Stage stage,
      ExportRun run,
      ExportPlan plan,
      Workload workload,
      RankSet wanted,
      List<Diagnostic> losses) {
    List<ExportRun.Result> results = new ArrayList<>();
    for (ExportPlan.Item item : plan.items()) {
      Cancellation cancellation = stage.world().interruption()::check;
      cancellation.check();
      ExportRun.Result result;
      try (ProgressLine progress = new ProgressLine(stage, item.exporter().name())) {
        result =
            run.prepare(
                item.exporter(),
                new ExportRun.Request(
                    workload, item.options(), wanted, progress, cancellation, losses));
      }
      List<Diagnostic> lost = result.report().losses();
      // those of the reading were said then, and would be said again for each format
      lost.subList(losses.size(), lost.size()).forEach(stage::say);
      result.report().notes().forEach(stage::say);
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
    return results;
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
}
