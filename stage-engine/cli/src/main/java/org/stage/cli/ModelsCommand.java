package org.stage.cli;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.stage.app.Catalogue;
import org.stage.app.Json;
import org.stage.workloadfile.Presets.Preset;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code stage models}. */
@Command(name = "models", description = "Lists the models that a workload file can name.")
final class ModelsCommand implements Callable<Integer> {
  private final Stage stage;

  @Option(names = "--json", description = "Prints JSON.")
  private boolean json;

  ModelsCommand(Stage stage) {
    this.stage = stage;
  }

  @Override
  public Integer call() {
    if (json) {
      List<Map<String, Object>> models =
          Catalogue.models().stream().map(ModelsCommand::fields).toList();
      Json.print(stage.world().out(), models);
    } else {
      Table table = new Table("model", ">parameters", ">layers", "source");
      for (Preset preset : Catalogue.models()) {
        table.row(
            preset.name(),
            Units.count(Catalogue.parameters(preset.model())),
            Units.count(preset.model().layers()),
            preset.source());
      }
      table.print(stage.world().out());
    }
    return ExitCode.DONE;
  }

  private static Map<String, Object> fields(Preset preset) {
    return Json.object(
        "name", preset.name(),
        "parameters", Catalogue.parameters(preset.model()),
        "active_parameters", Catalogue.activeParameters(preset.model()),
        "layers", preset.model().layers(),
        "source", preset.source());
  }
}
