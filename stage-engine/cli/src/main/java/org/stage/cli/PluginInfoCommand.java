package org.stage.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.stage.api.plugin.Capabilities;
import org.stage.api.plugin.Option;
import org.stage.app.ExtensionInfo;
import org.stage.app.Json;
import org.stage.app.Session;
import org.stage.host.LoadedPlugin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code stage plugins info}. */
@Command(name = "info", description = "Shows what a plugin can do, and its options.")
final class PluginInfoCommand implements Callable<Integer> {
  private final Stage stage;

  @Mixin private PluginOptions pluginOptions = new PluginOptions();

  @Parameters(
      index = "0",
      paramLabel = "NAME",
      description = "The id of a plugin, or the name of what it gives.")
  private String name = "";

  @picocli.CommandLine.Option(names = "--json", description = "Prints JSON.")
  private boolean json;

  PluginInfoCommand(Stage stage) {
    this.stage = stage;
  }

  @Override
  public Integer call() {
    try (Session session = pluginOptions.open(stage)) {
      List<ExtensionInfo> extensions = session.extensions(name);
      if (json) {
        Json.print(stage.world().out(), PluginFacts.plugins(extensions));
      } else {
        print(extensions);
      }
    }
    return ExitCode.DONE;
  }

  private void print(List<ExtensionInfo> extensions) {
    PrintWriter out = stage.world().out();
    LoadedPlugin plugin = extensions.get(0).plugin();
    out.println(plugin.id() + " " + plugin.version() + ": " + plugin.description());
    out.println(plugin.jar());
    for (ExtensionInfo extension : extensions) {
      out.println();
      out.println(PluginFacts.title(extension) + ": " + extension.description());
      printCapabilities(extension.capabilities());
      printOptions(extension.options());
    }
  }

  private void printCapabilities(Capabilities capabilities) {
    Table table = new Table("  can say", "");
    PluginFacts.json(capabilities)
        .forEach(
            (what, words) -> {
              if (!words.isEmpty()) {
                table.row("  " + what.replace('-', ' '), String.join(", ", words));
              }
            });
    table.print(stage.world().out());
  }

  private void printOptions(List<Option> options) {
    if (options.isEmpty()) {
      return;
    }
    Table table = new Table("  option", "values", "default", "");
    for (Option option : options) {
      table.row("  " + option.name(), option.expected(), option.defaultValue(), option.help());
    }
    table.print(stage.world().out());
  }
}
