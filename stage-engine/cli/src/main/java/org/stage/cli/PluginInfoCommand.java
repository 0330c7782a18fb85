package org.stage.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.stage.api.plugin.Capabilities;
import org.stage.api.plugin.ModelFeature;
import org.stage.api.plugin.NodeKind;
import org.stage.api.plugin.Option;
import org.stage.api.plugin.Parallelism;
import org.stage.host.Extension;
import org.stage.host.LoadedPlugin;
import org.stage.host.Plugins;
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
    try (Plugins plugins = pluginOptions.load(stage)) {
      List<Extension<?>> extensions = plugins.named("", name);
      if (json) {
        Json.print(stage.world().out(), new PluginFacts(stage).plugins(extensions));
      } else {
        print(extensions);
      }
    }
    return ExitCode.DONE;
  }

  private void print(List<Extension<?>> extensions) {
    PrintWriter out = stage.world().out();
    PluginFacts facts = new PluginFacts(stage);
    LoadedPlugin plugin = extensions.get(0).plugin();
    out.println(plugin.id() + " " + plugin.version() + ": " + plugin.description());
    out.println(plugin.jar());
    for (Extension<?> extension : extensions) {
      out.println();
      out.println(
          PluginsCommand.kinds(extension)
              + " "
              + extension.name()
              + ": "
              + facts.description(extension));
      printCapabilities(facts.capabilities(extension));
      printOptions(facts.options(extension));
    }
  }

  private void printCapabilities(Capabilities capabilities) {
    Table table = new Table("  can say", "");
    row(table, "nodes", capabilities.nodes().stream().map(NodeKind::text).toList());
    row(
        table,
        "parallelisms",
        capabilities.parallelisms().stream().map(Parallelism::text).toList());
    row(table, "features", capabilities.features().stream().map(ModelFeature::text).toList());
    row(table, "files", capabilities.files());
    row(table, "lost nodes", capabilities.lostNodes().stream().map(NodeKind::text).toList());
    row(
        table,
        "lost features",
        capabilities.lostFeatures().stream().map(ModelFeature::text).toList());
    table.print(stage.world().out());
  }

  private static void row(Table table, String what, List<String> words) {
    if (!words.isEmpty()) {
      table.row("  " + what, String.join(", ", words));
    }
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
