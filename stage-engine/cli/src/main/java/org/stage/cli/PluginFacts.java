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
import org.stage.host.LoadedPlugin;
import org.stage.host.PluginIssue;

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
            (plugin, given) -> {
              Map<String, Object> fields = new LinkedHashMap<>();
              fields.put("id", plugin.id());
              fields.put("version", plugin.version());
              fields.put("description", plugin.description());
              fields.put("jar", plugin.jar().toString());
              fields.put("extensions", given.stream().map(PluginFacts::extension).toList());
              plugins.add(fields);
            });
    return plugins;
  }

  /** An issue, as JSON. */
  static Map<String, Object> issue(PluginIssue issue) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("jar", issue.jar().toString());
    fields.put("names", issue.names());
    fields.put("severity", issue.diagnostic().severity().name().toLowerCase(Locale.ROOT));
    fields.put("message", issue.diagnostic().message());
    fields.put("remedy", issue.diagnostic().remedy());
    return fields;
  }

  private static Map<String, Object> extension(ExtensionInfo extension) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", extension.name());
    fields.put("kinds", extension.kinds());
    fields.put("description", extension.description());
    fields.put("options", extension.options().stream().map(PluginFacts::option).toList());
    fields.put("capabilities", json(extension.capabilities()));
    return fields;
  }

  private static Map<String, Object> option(Option option) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", option.name());
    fields.put("type", option.type().name().toLowerCase(Locale.ROOT));
    fields.put("default", option.defaultValue());
    fields.put("choices", option.choices());
    fields.put("help", option.help());
    return fields;
  }

  /** What a plugin can say, as JSON: words by what they are about. */
  static Map<String, List<String>> json(Capabilities capabilities) {
    Map<String, List<String>> fields = new LinkedHashMap<>();
    fields.put("nodes", capabilities.nodes().stream().map(NodeKind::text).toList());
    fields.put(
        "parallelisms", capabilities.parallelisms().stream().map(Parallelism::text).toList());
    fields.put("features", capabilities.features().stream().map(ModelFeature::text).toList());
    fields.put("files", capabilities.files());
    fields.put("lost-nodes", capabilities.lostNodes().stream().map(NodeKind::text).toList());
    fields.put(
        "lost-features", capabilities.lostFeatures().stream().map(ModelFeature::text).toList());
    return fields;
  }
}
