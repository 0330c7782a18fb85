package org.stage.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.stage.analyze.Analysis;
import org.stage.analyze.MemoryTimeline;
import org.stage.api.diagnostic.InputException;
import org.stage.api.text.GraphText;
import org.stage.app.CalibrationJson;
import org.stage.app.Json;
import org.stage.app.ScheduleView;
import org.stage.app.Session;
import org.stage.engine.Synthesis;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stage inspect}. */
@Command(
    name = "inspect",
    description = "Shows parameters, FLOPs, memory and traffic of a workload. Writes no files.")
final class InspectCommand implements Callable<Integer> {
  private final Stage stage;

  @Parameters(index = "0", paramLabel = "FILE", description = "The workload file, YAML or JSON.")
  private Path file = Path.of("");

  @Mixin private ChangeOptions changes = new ChangeOptions();
  @Mixin private PluginOptions pluginOptions = new PluginOptions();

  @ArgGroup private View view = new View();
  @ArgGroup private Form form = new Form();

  /** What to show instead; at most one of them. */
  static final class View {
    @Option(
        names = "--memory-timeline",
        description = "Shows memory over the step instead, module by module.")
    private boolean memory;

    @Option(
        names = "--schedule",
        description = "Shows the order of micro-batches in the pipeline instead.")
    private boolean schedule;
  }

  /** How to print it; at most one of them. */
  static final class Form {
    @Option(names = "--json", description = "Prints JSON, with exact numbers.")
    private boolean json;

    @Option(names = "--csv", description = "Prints the memory timeline as CSV.")
    private boolean csv;

    @Option(names = "--print-graph", description = "Prints the symbolic graph, module by module.")
    private boolean graph;
  }

  InspectCommand(Stage stage) {
    this.stage = stage;
  }

  @Override
  public Integer call() {
    Synthesis synthesis;
    try (Session session = pluginOptions.open(stage)) {
      synthesis = session.inspect(changes.in(file));
    }
    PrintWriter out = stage.world().out();
    if (view.memory) {
      showMemory(out, synthesis);
      return ExitCode.DONE;
    }
    if (form.csv) {
      throw new InputException("--csv", "needs --memory-timeline", "Add it, or take --json.");
    }
    if (view.schedule) {
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

  private void showMemory(PrintWriter out, Synthesis synthesis) {
    if (form.graph) {
      throw new InputException(
          "--memory-timeline", "does not go with --print-graph", "Ask for one.");
    }
    List<MemoryTimeline> timelines = synthesis.memoryTimelines();
    if (form.json) {
      Json.print(out, MemoryExport.json(timelines));
    } else if (form.csv) {
      MemoryExport.csv(out, timelines);
    } else {
      MemoryChart.print(out, timelines);
    }
  }

  private void showSchedule(PrintWriter out, Synthesis synthesis) {
    if (form.graph) {
      throw new InputException("--schedule", "does not go with --print-graph", "Ask for one.");
    }
    ScheduleView drawn = ScheduleView.of(synthesis.pipeline(), file.toString());
    if (form.json) {
      Json.print(out, ScheduleJson.of(drawn));
    } else {
      ScheduleText.print(out, drawn);
    }
  }
}
