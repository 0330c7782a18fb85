package org.stage.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.stage.api.workload.RankSet;
import org.stage.api.workload.Workload;
import org.stage.calibrate.CalibrationReport;
import org.stage.engine.Synthesis;
import org.stage.host.ExportRun;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code stage synth}. */
@Command(
    name = "synth",
    description = "Synthesizes the execution graphs of one or more workloads and exports them.")
final class SynthCommand implements Callable<Integer> {
  private final Stage stage;

  @Mixin private JobOptions jobOptions = new JobOptions();
  @Mixin private PluginOptions pluginOptions = new PluginOptions();
  @Mixin private ExportOptions exports = new ExportOptions();

  @Option(
      names = "--to",
      paramLabel = "NAME",
      split = ",",
      description = "The exporters to run; by default those that the file names.")
  private List<String> to = new ArrayList<>();

  SynthCommand(Stage stage) {
    this.stage = stage;
  }

  @Override
  public Integer call() {
    long begin = stage.world().nanoTime().getAsLong();
    try (LazyPlugins plugins = pluginOptions.lazy(stage)) {
      Jobs jobs = jobOptions.read(stage, plugins);
      RankSet wanted = exports.wanted(jobs.devices());
      ExportPlan plan = ExportPlan.of(jobs.first(), to, plugins.get());
      stage.world().interruption().expectCleanup();
      try (ExportRun run = exports.open(plan)) {
        List<Synthesis> syntheses = jobs.specs().stream().map(Synthesis::of).toList();
        syntheses.forEach(each -> ScheduleView.warn(stage, each.pipeline()));
        Workload workload = jobs.workload(stage, syntheses);
        SynthSummary summary =
            new SynthSummary(
                syntheses.stream().map(Synthesis::analysis).toList(), workload, wanted);
        exports.export(stage, run, plan, workload, wanted, List.of()).forEach(summary::add);
        List<CalibrationReport> reports =
            syntheses.stream().flatMap(each -> each.calibration().stream()).toList();
        CalibrationJson.write(exports.out(), reports);
        summary.print(stage.world().out(), stage.world().nanoTime().getAsLong() - begin);
        reports.forEach(report -> CalibrationText.print(stage.world().out(), report));
      }
    }
    return ExitCode.DONE;
  }
}
