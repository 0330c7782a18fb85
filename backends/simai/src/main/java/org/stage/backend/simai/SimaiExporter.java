package org.stage.backend.simai;

import java.io.IOException;
import java.util.ArrayList;
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
import org.stage.api.plugin.ModelFeature;
import org.stage.api.plugin.NodeKind;
import org.stage.api.plugin.Option;
import org.stage.api.plugin.Parallelism;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.Workload;
import org.stage.backend.simai.format.WorkloadFile;

/**
 * Writes SimAI workload files: the rows of a pipeline stage, a script that runs them, and a report
 * of what they hold and leave out.
 */
@Extension
public final class SimaiExporter implements Exporter {
  /**
   * Tables of rows: no dependencies, so markers lose nothing; one group each for tensor, data and
   * expert parallelism, and stages that are alike. Context parallelism counts into that of tensors
   * where the option says so.
   */
  private static final Capabilities CAPABILITIES =
      Capabilities.everything()
          .without(Parallelism.CONTEXT)
          .without(ModelFeature.SEVERAL_JOBS)
          .losing(
              NodeKind.SEND,
              NodeKind.RECV,
              NodeKind.REDUCE,
              NodeKind.GATHER,
              NodeKind.SCATTER,
              NodeKind.BROADCAST,
              NodeKind.BARRIER,
              NodeKind.HOST_COMPUTE,
              NodeKind.MEMORY_LOAD,
              NodeKind.MEMORY_STORE)
          .losing(
              ModelFeature.TIED_EMBEDDING, ModelFeature.REPLICATED_HEADS, ModelFeature.SLOW_RANKS);

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
    return CAPABILITIES;
  }

  @Override
  public ExportReport export(Workload workload, ExportContext context) throws IOException {
    Settings settings = Settings.of(context.options());
    Groups groups = new Groups(workload.mesh(), settings.foldsContext());
    settings.capabilities(CAPABILITIES).require(name(), workload);
    Times times = Times.of(workload, settings);
    List<StageRows> all = translate(workload, context, groups, times);
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
    new Declaration(workload, settings, groups).declare(all, chosen, losses);
    servers.check(workload, groups, losses);
    List<String> files = entries.stream().map(ReportFile.Entry::name).toList();
    RunScript.write(context.directory(), files, workload.mesh().devices(), servers);
    ReportFile.write(context.directory().resolve("totals.json"), workload, entries, losses.list());
    return losses.report(chosen.stream().mapToLong(stage -> stage.rows().size()).sum());
  }

  /** The heaviest class of ranks of each stage, in the order of the stages. */
  private static List<StageRows> translate(
      Workload workload, ExportContext context, Groups groups, Times times) {
    Map<Integer, StageRows> stages = new TreeMap<>();
    int done = 0;
    for (RankClass ranks : workload.classes()) {
      context.checkCancelled();
      try {
        StageRows rows =
            new StageTranslator(groups, times.slowedBy(ranks.slowdown())).translate(ranks);
        stages.merge(ranks.stage(), rows, Choice::ofOneStage);
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
        Bubble.of(workload, settings).chunks(),
        stage.microBatches(),
        workload.mesh().devices());
  }

  /** Names of files stand in the script unquoted by their author. */
  private static String fileName(String workload, String suffix) {
    return workload.replaceAll("[^\\w.+-]", "_") + suffix + ".txt";
  }
}
