package org.stage.backend.simai;

import java.io.IOException;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.pf4j.Extension;
import org.stage.api.diagnostic.InputException;
import org.stage.api.diagnostic.WorkException;
import org.stage.api.plugin.Capabilities;
import org.stage.api.plugin.ExportContext;
import org.stage.api.plugin.ExportReport;
import org.stage.api.plugin.Exporter;
import org.stage.api.plugin.Option;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.Workload;
import org.stage.backend.simai.format.WorkloadFile;

/**
 * Writes SimAI workload files: the rows of a pipeline stage, a script that runs them, and a report
 * of what they hold and leave out.
 */
@Extension
public final class SimaiExporter implements Exporter {
  @Override
  public String name() {
    return "simai";
  }

  @Override
  public String description() {
    return "SimAI workload files (.txt) with the command for SimAI-Analytical";
  }

  @Override
  public List<Option> options() {
    return Settings.OPTIONS;
  }

  @Override
  public Capabilities capabilities() {
    return Capabilities.everything();
  }

  @Override
  public ExportReport export(Workload workload, ExportContext context) throws IOException {
    if (workload.jobs().size() > 1) {
      throw new InputException(
          workload.name(),
          "SimAI's files hold one job, and there are " + workload.jobs().size(),
          "Export each on its own, or take another format.");
    }
    Settings settings = Settings.of(context.options());
    Groups groups = new Groups(workload.mesh(), settings.foldsContext());
    Times times = Times.of(workload, settings);
    Map<Integer, DoubleSummaryStatistics> ranks = new TreeMap<>();
    List<StageRows> all = translate(workload, context, groups, times, ranks);
    List<StageRows> chosen = Choice.of(all, settings.stage());
    List<ReportFile.Entry> entries = new ArrayList<>();
    for (StageRows stage : chosen) {
      String file = fileName(workload.name(), chosen.size() > 1 ? "-stage" + stage.stage() : "");
      entries.add(new ReportFile.Entry(file, stage));
      WorkloadFile.Header header = header(workload, groups, settings, stage);
      new WorkloadFile(header, stage.rows()).write(context.directory().resolve(file));
    }
    Servers servers = Servers.of(workload, settings);
    Losses losses = new Losses();
    new Declaration(workload, settings, groups, ranks).declare(all, chosen, losses);
    servers.check(workload, groups, losses);
    List<String> files = entries.stream().map(ReportFile.Entry::name).toList();
    RunScript.write(context.directory(), files, workload.mesh().devices(), servers);
    ReportFile.write(
        context.directory().resolve("export-report.json"), workload, entries, losses.list());
    long rows = chosen.stream().mapToLong(stage -> stage.rows().size()).sum();
    return new ExportReport(rows, losses.list().stream().map(Loss::diagnostic).toList());
  }

  /** The heaviest class of ranks of each stage, in the order of the stages. */
  private static List<StageRows> translate(
      Workload workload,
      ExportContext context,
      Groups groups,
      Times times,
      Map<Integer, DoubleSummaryStatistics> nanoseconds) {
    Map<Integer, StageRows> stages = new TreeMap<>();
    int done = 0;
    for (RankClass ranks : workload.classes()) {
      context.checkCancelled();
      try {
        StageRows rows =
            new StageTranslator(groups, times.slowedBy(ranks.slowdown())).translate(ranks);
        nanoseconds
            .computeIfAbsent(ranks.stage(), stage -> new DoubleSummaryStatistics())
            .accept(rows.totals().nanoseconds());
        stages.merge(ranks.stage(), rows, Choice::heavier);
      } catch (ArithmeticException e) {
        throw new WorkException(
            workload.name(),
            "a size does not fit 63 bits",
            "Make the model or the batch smaller.",
            e);
      }
      context.progress().report(++done, workload.classes().size(), "classes of ranks");
    }
    if (stages.isEmpty()) {
      throw new InputException(workload.name(), "has no ranks", "Give it some.");
    }
    return List.copyOf(stages.values());
  }

  private static WorkloadFile.Header header(
      Workload workload, Groups groups, Settings settings, StageRows stage) {
    return new WorkloadFile.Header(
        groups.tensor(),
        groups.expert(),
        groups.pipeline(),
        settings.vpp(),
        stage.microBatches(),
        workload.mesh().devices());
  }

  /** Names of files stand in the script unquoted by their author. */
  private static String fileName(String workload, String suffix) {
    return workload.replaceAll("[^\\w.+-]", "_") + suffix + ".txt";
  }
}
