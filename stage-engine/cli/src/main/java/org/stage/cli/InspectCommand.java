package org.stage.cli;

import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
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
    synthesis.warnings().forEach(stage::say);
    PrintWriter out = stage.world().out();
    if (form.graph) {
      synthesis.modules().forEach(module -> out.print(GraphText.print(module)));
    } else if (form.json) {
      Map<String, Object> json = AnalysisJson.of(synthesis.analysis());
      synthesis
          .calibration()
          .ifPresent(report -> json.put("calibration", CalibrationJson.of(report)));
      Json.print(out, json);
    } else {
      AnalysisText.print(out, synthesis.analysis());
      synthesis.calibration().ifPresent(report -> CalibrationText.print(out, report));
    }
    return ExitCode.DONE;
  }
}
