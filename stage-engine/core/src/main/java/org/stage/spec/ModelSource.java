package org.stage.spec;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.stage.api.keys.WorkloadKeys;
import org.stage.api.keys.WorkloadKeys.Flag;
import org.stage.api.keys.WorkloadKeys.Items;
import org.stage.api.keys.WorkloadKeys.Value;
import org.stage.api.keys.WorkloadKeys.Whole;
import org.stage.spec.KeyType.NameOrPath;

/** Puts, in place of the name or the path of a model, the keys of that model. */
final class ModelSource {
  private static final String PREFIX = "model.";

  private final Path workload;
  private final ModelResolver resolver;

  /**
   * A source of models.
   *
   * @param workload the workload file, whose folder paths are relative to
   * @param resolver reads what a path names
   */
  ModelSource(Path workload, ModelResolver resolver) {
    this.workload = workload;
    this.resolver = resolver;
  }

  /** The keys of {@code model}, which is checked, those of its preset or file included. */
  Node.Fields complete(Node model) {
    if (model instanceof Node.Scalar name) {
      return named(name, "model", model.place());
    }
    Node.Fields own = (Node.Fields) model;
    if (own.get("preset") instanceof Node.Scalar name) {
      Node.Fields preset = named(name, "model.preset", own.place());
      Node.Fields changes = own.without("preset");
      return renamed(preset, changes).overlaid(changes);
    }
    return own;
  }

  /** A changed model must not pass for the real one in a report. */
  private static Node.Fields renamed(Node.Fields preset, Node.Fields changes) {
    if (changes.fields().isEmpty() || !(preset.get("name") instanceof Node.Scalar name)) {
      return preset;
    }
    Node changed = new Node.Scalar(preset.place(), Node.Form.WORD, name.raw() + "-changed");
    return preset.with("name", changed);
  }

  private Node.Fields named(Node.Scalar name, String key, Place place) {
    if (!NameOrPath.isPath(name.raw())) {
      return Presets.at(name.raw(), place);
    }
    String source = name.place().at(key);
    Path file = Located.find(workload, name, source);
    Node.Fields imported = fields(resolver.resolve(file, source), place);
    // An importer is foreign code: what it says is checked as if it were typed.
    Problems problems = new Problems();
    new KeyCheck(problems, false).fields("model", imported, false, "model");
    problems.report();
    return imported;
  }

  /** {@code keys} as if they were typed as a model at {@code place}; others stay as they are. */
  private static Node.Fields fields(WorkloadKeys keys, Place place) {
    Map<String, Node> fields = new LinkedHashMap<>();
    keys.values()
        .forEach(
            (key, value) -> {
              String name = key.startsWith(PREFIX) ? key.substring(PREFIX.length()) : key;
              fields.put(name, node(value, place));
            });
    return new Node.Fields(place, fields);
  }

  private static Node node(Value value, Place place) {
    if (value instanceof Items list) {
      return new Node.Items(place, list.values().stream().map(each -> node(each, place)).toList());
    }
    Node.Form form =
        value instanceof Whole
            ? Node.Form.WHOLE
            : value instanceof Flag ? Node.Form.FLAG : Node.Form.WORD;
    return new Node.Scalar(place, form, value.text());
  }
}
