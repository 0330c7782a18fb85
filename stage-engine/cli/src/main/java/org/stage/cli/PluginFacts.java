package org.stage.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.Severity;
import org.stage.api.diagnostic.WorkException;
import org.stage.api.plugin.Capabilities;
import org.stage.api.plugin.ModelFeature;
import org.stage.api.plugin.NodeKind;
import org.stage.api.plugin.Option;
import org.stage.api.plugin.Parallelism;
import org.stage.api.plugin.Plugin;
import org.stage.host.Extension;
import org.stage.host.ExtensionKind;
import org.stage.host.LoadedPlugin;
import org.stage.host.PluginIssue;

/** What plugins say of themselves, for people and as JSON. One that fails to say it harms none. */
final class PluginFacts {
  private final Stage stage;

  PluginFacts(Stage stage) {
    this.stage = stage;
  }

  static List<String> kinds(Extension<?> extension) {
    return extension.kinds().stream().map(ExtensionKind::text).toList();
  }

  /** What {@code question} gives, or {@code otherwise}, with a warning, if the plugin fails. */
  <P extends Plugin, R> R ask(
      Extension<P> extension, String question, Extension.Call<P, R> call, R otherwise) {
    try {
      return extension.call(question, call);
    } catch (WorkException e) {
      Diagnostic why = e.diagnostic();
      stage.say(new Diagnostic(Severity.WARNING, why.source(), why.message(), why.remedy()));
      return otherwise;
    }
  }

  String description(Extension<?> extension) {
    return ask(extension, "description()", Plugin::description, "");
  }

  List<Option> options(Extension<?> extension) {
    return ask(extension, "options()", Plugin::options, List.of());
  }

  Capabilities capabilities(Extension<?> extension) {
    return ask(extension, "capabilities()", Plugin::capabilities, Capabilities.nothing());
  }

  /** The plugins of these extensions, as JSON. */
  List<Map<String, Object>> plugins(List<Extension<?>> extensions) {
    Map<LoadedPlugin, List<Map<String, Object>>> byPlugin = new LinkedHashMap<>();
    for (Extension<?> extension : extensions) {
      byPlugin
          .computeIfAbsent(extension.plugin(), plugin -> new ArrayList<>())
          .add(extension(extension));
    }
    List<Map<String, Object>> plugins = new ArrayList<>();
    byPlugin.forEach(
        (plugin, given) -> {
          Map<String, Object> fields = new LinkedHashMap<>();
          fields.put("id", plugin.id());
          fields.put("version", plugin.version());
          fields.put("description", plugin.description());
          fields.put("jar", plugin.jar().toString());
          fields.put("extensions", given);
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

  private Map<String, Object> extension(Extension<?> extension) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", extension.name());
    fields.put("kinds", kinds(extension));
    fields.put("description", description(extension));
    fields.put("options", options(extension).stream().map(PluginFacts::option).toList());
    fields.put("capabilities", json(capabilities(extension)));
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

  private static Map<String, Object> json(Capabilities capabilities) {
    Map<String, Object> fields = new LinkedHashMap<>();
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
