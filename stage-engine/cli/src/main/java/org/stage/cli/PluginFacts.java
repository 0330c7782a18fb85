package org.stage.cli;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.stage.api.plugin.Capabilities;
import org.stage.api.plugin.ModelFeature;
import org.stage.api.plugin.NodeKind;
import org.stage.api.plugin.Option;
import org.stage.api.plugin.Parallelism;
import org.stage.app.ExtensionInfo;
import org.stage.app.Json;
import org.stage.host.LoadedPlugin;
import org.stage.host.PluginIssue;
import org.stage.host.PluginStatus;

/** What plugins say of themselves, as JSON. */
final class PluginFacts {
  private PluginFacts() {}

  /** What it is and what it is called: {@code exporter chakra}. */
  static String title(ExtensionInfo extension) {
    return String.join(" and ", extension.kinds()) + " " + extension.name();
  }

  /** Extensions by the plugin that gives them, in their order. */
  static Map<LoadedPlugin, List<ExtensionInfo>> byPlugin(List<ExtensionInfo> extensions) {
    return extensions.stream()
        .collect(groupingBy(ExtensionInfo::plugin, LinkedHashMap::new, toList()));
  }

  /** The plugins of these extensions, as JSON. */
  static List<Map<String, Object>> plugins(List<ExtensionInfo> extensions) {
    List<Map<String, Object>> plugins = new ArrayList<>();
    byPlugin(extensions)
        .forEach(
            (plugin, given) ->
                plugins.add(
                    Json.object(
                        "id", plugin.id(),
                        "version", plugin.version(),
                        "description", plugin.description(),
                        "jar", plugin.jar().toString(),
                        "extensions", given.stream().map(PluginFacts::extension).toList())));
    return plugins;
  }

  /** An issue, as JSON. */
  static Map<String, Object> issue(PluginIssue issue) {
    return Json.object(
        "jar", issue.jar().toString(),
        "names", issue.names(),
        "severity", issue.diagnostic().severity().name().toLowerCase(Locale.ROOT),
        "message", issue.diagnostic().message(),
        "remedy", issue.diagnostic().remedy());
  }

  /** How a plugin fares, as JSON. */
  static Map<String, Object> state(PluginStatus plugin) {
    return Json.object(
        "id", plugin.id(),
        "version", plugin.version(),
        "state", plugin.state(),
        "gives", plugin.gives(),
        "jar", plugin.jar().toString());
  }

  private static Map<String, Object> extension(ExtensionInfo extension) {
    return Json.object(
        "name", extension.name(),
        "kinds", extension.kinds(),
        "description", extension.description(),
        "options", extension.options().stream().map(PluginFacts::option).toList(),
        "capabilities", json(extension.capabilities()));
  }

  private static Map<String, Object> option(Option option) {
    return Json.object(
        "name", option.name(),
        "type", option.type().name().toLowerCase(Locale.ROOT),
        "default", option.defaultValue(),
        "choices", option.choices(),
        "help", option.help());
  }

  /** What a plugin can say, as JSON: words by what they are about. */
  static Map<String, List<String>> json(Capabilities capabilities) {
    Map<String, List<String>> words = new LinkedHashMap<>();
    words.put("nodes", capabilities.nodes().stream().map(NodeKind::text).toList());
    words.put("parallelisms", capabilities.parallelisms().stream().map(Parallelism::text).toList());
    words.put("features", capabilities.features().stream().map(ModelFeature::text).toList());
    words.put("files", capabilities.files());
    words.put("lost-nodes", capabilities.lostNodes().stream().map(NodeKind::text).toList());
    words.put(
        "lost-features", capabilities.lostFeatures().stream().map(ModelFeature::text).toList());
    return words;
  }
}
