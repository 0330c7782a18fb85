package org.stage.cli;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.stage.app.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code stage plugins remove}. */
@Command(name = "remove", description = "Removes a plugin that was installed.")
final class PluginRemoveCommand implements Callable<Integer> {
  private final Stage stage;

  @Mixin private PluginOptions pluginOptions = new PluginOptions();

  @Parameters(
      index = "0",
      paramLabel = "NAME",
      description = "The id of the plugin, or the name of its file.")
  private String name = "";

  PluginRemoveCommand(Stage stage) {
    this.stage = stage;
  }

  @Override
  public Integer call() {
    try (Session session = pluginOptions.open(stage)) {
      for (Path removed : session.remove(name)) {
        stage.world().out().println("removed " + removed);
      }
    }
    return ExitCode.DONE;
  }
}
