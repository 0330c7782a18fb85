package org.stage.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.stage.host.Extension;
import org.stage.host.LoadedPlugin;
import org.stage.host.Plugins;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code stage plugins}, and {@code stage plugins list}, which is the same. */
@Command(name = "list", description = "Lists the plugins, and what is wrong with any.")
final class PluginsCommand implements Callable<Integer> {
  private final Stage stage;

  @Mixin private PluginOptions pluginOptions = new PluginOptions();

  @Option(names = "--json", description = "Prints JSON.")
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
    try (Plugins plugins = pluginOptions.load(stage)) {
      if (json) {
        Map<String, Object> all = new LinkedHashMap<>();
        PluginFacts facts = new PluginFacts(stage);
        all.put("plugins", facts.plugins(plugins.extensions()));
        all.put("issues", plugins.brokenJars().stream().map(PluginFacts::issue).toList());
        Json.print(stage.world().out(), all);
      } else {
        print(plugins);
      }
    }
    return ExitCode.DONE;
  }

  private void print(Plugins plugins) {
    Table table = new Table("plugin", "version", "gives", "file");
    for (LoadedPlugin plugin : plugins.loaded()) {
      String gives =
          plugins.extensions().stream()
              .filter(extension -> extension.plugin().equals(plugin))
              .map(extension -> kinds(extension) + " " + extension.name())
              .collect(Collectors.joining(", "));
      table.row(plugin.id(), plugin.version(), gives, plugin.jar().toString());
    }
    table.print(stage.world().out());
  }

  static String kinds(Extension<?> extension) {
    List<String> kinds = PluginFacts.kinds(extension);
    return String.join(" and ", kinds);
  }
}
