package org.stage.cli;

import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import org.stage.analyze.Analysis;
import org.stage.api.diagnostic.InputException;
import org.stage.api.text.GraphText;
import org.stage.engine.Synthesis;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code stage inspect}. */
@Command(
    name = "inspect",
    description = "Shows parameters, FLOPs, memory and traffic of a workload. Writes no files.")
final class InspectCommand implements Callable<Integer> {
  private final Stage stage;

  @Mixin private WorkloadOptions workload = new WorkloadOptions();
  @Mixin private PluginOptions pluginOptions = new PluginOptions();

  @ArgGroup private Form form = new Form();

  @Option(
      names = "--schedule",
      description = "Shows the order of micro-batches in the pipeline instead.")
  private boolean schedule;

  /** At most one of them. */
  static final class Form {
    @Option(names = "--json", description = "Prints JSON, with exact numbers.")
    private boolean json;

    @Option(names = "--print-graph", description = "Prints the symbolic graph, module by module.")
    private boolean graph;
  }

  InspectCommand(Stage stage) {
    this.stage = stage;
  }

  @Override
  public Integer call() {
    Synthesis synthesis;
    try (LazyPlugins plugins = pluginOptions.lazy(stage)) {
      synthesis = Synthesis.of(workload.read(stage, plugins));
    }
    PrintWriter out = stage.world().out();
    if (schedule) {
      showSchedule(out, synthesis);
      return ExitCode.DONE;
    }
    Analysis analysis = synthesis.analysis();
    synthesis.advice(analysis).forEach(stage::say);
    if (form.graph) {
      synthesis.modules().forEach(module -> out.print(GraphText.print(module)));
    } else if (form.json) {
      Map<String, Object> json = AnalysisJson.of(analysis);
      synthesis
          .calibration()
          .ifPresent(report -> json.put("calibration", CalibrationJson.of(report)));
      Json.print(out, json);
    } else {
      AnalysisText.print(out, analysis);
      synthesis.calibration().ifPresent(report -> CalibrationText.print(out, report));
    }
    return ExitCode.DONE;
  }

  private void showSchedule(PrintWriter out, Synthesis synthesis) {
    if (form.graph) {
      throw new InputException("--schedule", "does not go with --print-graph", "Ask for one.");
    }
    ScheduleView view = ScheduleView.of(synthesis.pipeline(), workload.file().toString());
    if (form.json) {
      Json.print(out, ScheduleJson.of(view));
    } else {
      ScheduleText.print(out, view);
    }
  }
}
