package org.stage.cli;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.stage.app.Session;
import org.stage.host.LoadedPlugin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code stage plugins install}. */
@Command(
    name = "install",
    description = {
      "Checks a plugin and copies it into your plugin folder, in place of an older version.",
      "That folder is $STAGE_PLUGIN_HOME, by default ~/.local/share/stage/plugins."
    })
final class PluginInstallCommand implements Callable<Integer> {
  private final Stage stage;

  @Mixin private PluginOptions pluginOptions = new PluginOptions();

  @Parameters(index = "0", paramLabel = "JAR", description = "The packed plugin.")
  private Path jar = Path.of("");

  PluginInstallCommand(Stage stage) {
    this.stage = stage;
  }

  @Override
  public Integer call() {
    try (Session session = pluginOptions.open(stage)) {
      LoadedPlugin plugin = session.install(jar);
      String name = plugin.id() + " " + plugin.version();
      stage.world().out().println("installed " + name + " as " + plugin.jar());
    }
    return ExitCode.DONE;
  }
}
