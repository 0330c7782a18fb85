package org.stage.cli;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.stage.api.diagnostic.InputException;
import org.stage.host.PluginStore;
import org.stage.host.Plugins;
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
    try (Plugins present = pluginOptions.load(stage)) {
      PluginStore.Installed installed = store(stage).install(jar, present);
      installed.warnings().forEach(stage::say);
      stage
          .world()
          .out()
          .println(
              "installed "
                  + installed.plugin().id()
                  + " "
                  + installed.plugin().version()
                  + " as "
                  + installed.plugin().jar());
    }
    return ExitCode.DONE;
  }

  /** The user's own plugin folder. */
  static PluginStore store(Stage stage) {
    return stage
        .world()
        .pluginHome()
        .map(PluginStore::new)
        .orElseThrow(
            () ->
                new InputException(
                    "STAGE_PLUGIN_HOME",
                    "there is no home directory to install plugins in",
                    "Name a folder by this environment variable."));
  }
}
