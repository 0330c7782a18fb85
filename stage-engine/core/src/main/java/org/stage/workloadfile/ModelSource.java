package org.stage.workloadfile;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.stage.api.keys.WorkloadKeys;
import org.stage.api.keys.WorkloadKeys.Flag;
import org.stage.api.keys.WorkloadKeys.Items;
import org.stage.api.keys.WorkloadKeys.Value;
import org.stage.api.keys.WorkloadKeys.Whole;
import org.stage.job.Origin;
import org.stage.job.Problems;
import org.stage.workloadfile.KeyType.NameOrPath;

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
  SourceNode.Fields complete(SourceNode model) {
    if (model instanceof SourceNode.Scalar name) {
      return named(name, "model", model.origin());
    }
    SourceNode.Fields own = (SourceNode.Fields) model;
    if (own.get("preset") instanceof SourceNode.Scalar name) {
      SourceNode.Fields preset = named(name, "model.preset", own.origin());
      SourceNode.Fields changes = own.without("preset");
      return renamed(preset, changes).overlaid(changes);
    }
    return own;
  }

  /** A changed model must not pass for the real one in a report. */
  private static SourceNode.Fields renamed(SourceNode.Fields preset, SourceNode.Fields changes) {
    if (changes.fields().isEmpty() || !(preset.get("name") instanceof SourceNode.Scalar name)) {
      return preset;
    }
    SourceNode changed =
        new SourceNode.Scalar(preset.origin(), SourceNode.Form.WORD, name.raw() + "-changed");
    return preset.with("name", changed);
  }

  private SourceNode.Fields named(SourceNode.Scalar name, String key, Origin origin) {
    if (!NameOrPath.isPath(name.raw())) {
      return Presets.at(name.raw(), origin);
    }
    Origin source = name.origin().at(key);
    Path file = Located.find(workload, name, source);
    SourceNode.Fields imported = fields(resolver.resolve(file, source.toString()), origin);
    // An importer is foreign code: what it says is checked as if it were typed.
    Problems problems = new Problems();
    new KeyCheck(problems, false).fields("model", imported, false, "model");
    problems.report();
    return imported;
  }

  /** {@code keys} as if they were typed as a model at {@code origin}; others stay as they are. */
  private static SourceNode.Fields fields(WorkloadKeys keys, Origin origin) {
    Map<String, SourceNode> fields = new LinkedHashMap<>();
    keys.values()
        .forEach(
            (key, value) -> {
              String name = key.startsWith(PREFIX) ? key.substring(PREFIX.length()) : key;
              fields.put(name, node(value, origin));
            });
    return new SourceNode.Fields(origin, fields);
  }

  private static SourceNode node(Value value, Origin origin) {
    if (value instanceof Items list) {
      return new SourceNode.Items(
          origin, list.values().stream().map(each -> node(each, origin)).toList());
    }
    SourceNode.Form form =
        value instanceof Whole
            ? SourceNode.Form.WHOLE
            : value instanceof Flag ? SourceNode.Form.FLAG : SourceNode.Form.WORD;
    return new SourceNode.Scalar(origin, form, value.text());
  }
}
