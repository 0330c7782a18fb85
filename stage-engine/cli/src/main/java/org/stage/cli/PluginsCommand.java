package org.stage.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.stage.app.ExtensionInfo;
import org.stage.app.Json;
import org.stage.app.Session;
import org.stage.host.PluginStatus;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code stage plugins}, and {@code stage plugins list}, which is the same. */
@Command(
    name = "list",
    description = "Lists the plugins with their states, and what is wrong with any.")
final class PluginsCommand implements Callable<Integer> {
  private final Stage stage;

  @Mixin private PluginOptions pluginOptions = new PluginOptions();

  @Option(
      names = "--json",
      description = "Prints JSON; asks each plugin for options and abilities, which runs its code.")
  private boolean json;

  PluginsCommand(Stage stage) {
    this.stage = stage;
  }

  /** The command with those below it. */
  static CommandLine tree(Stage stage) {
    CommandLine plugins = new CommandLine(new PluginsCommand(stage));
    plugins.setCommandName("plugins");
    plugins
        .getCommandSpec()
        .usageMessage()
        .description("Lists, installs, removes and begins plugins; by default lists them.");
    plugins.addSubcommand(new PluginsCommand(stage));
    plugins.addSubcommand(new PluginInfoCommand(stage));
    plugins.addSubcommand(new PluginInstallCommand(stage));
    plugins.addSubcommand(new PluginRemoveCommand(stage));
    plugins.addSubcommand(new PluginNewCommand(stage));
    return plugins;
  }

  @Override
  public Integer call() {
    try (Session session = pluginOptions.open(stage)) {
      if (json) {
        List<ExtensionInfo> extensions = session.extensions();
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("plugins", PluginFacts.plugins(extensions));
        all.put("issues", session.pluginIssues().stream().map(PluginFacts::issue).toList());
        all.put("states", session.plugins().stream().map(PluginFacts::state).toList());
        Json.print(stage.world().out(), all);
      } else {
        print(session.plugins());
      }
    }
    return ExitCode.DONE;
  }

  private void print(List<PluginStatus> plugins) {
    Table table = new Table("plugin", "version", "state", "gives", "file");
    for (PluginStatus plugin : plugins) {
      table.row(
          plugin.id(),
          plugin.version(),
          plugin.state(),
          String.join(", ", plugin.gives()),
          plugin.jar().toString());
    }
    table.print(stage.world().out());
  }
}
