package org.stage.workloadfile;

import java.util.List;
import java.util.Map;
import org.stage.job.Model;
import org.stage.job.Origin;
import org.stage.job.Problems;

/** The models that come with the engine, by the names by which people call them. */
public final class Presets {
  private static final SourceNode.Fields INDEX = Resources.map("/presets/index.yaml");

  /** Names there are, sorted. */
  static final List<String> NAMES = Resources.words(INDEX, "now");

  /** Names of models that this version cannot describe yet. */
  static final List<String> PLANNED = Resources.words(INDEX, "later");

  private Presets() {}

  /**
   * A model with its name.
   *
   * @param name as typed in a workload file
   * @param description a line about it
   * @param source where its numbers come from
   * @param model the model
   */
  public record Preset(String name, String description, String source, Model model) {}

  /** All presets, sorted by name. */
  public static List<Preset> all() {
    return NAMES.stream().map(Presets::preset).toList();
  }

  private static Preset preset(String name) {
    SourceNode.Fields fields = fields(name);
    Values values = new Values(new SourceNode.Fields(fields.origin(), Map.of("model", fields)));
    Problems problems = new Problems();
    new KeyCheck(problems, false).fields("model", fields, false, "model");
    problems.report();
    Model model = new ModelReader(values).read();
    values.problems().report();
    return new Preset(name, values.word("model.description"), values.word("model.source"), model);
  }

  /** The keys of the preset {@code name}, which stands at {@code place}. */
  static SourceNode.Fields at(String name, Origin place) {
    return at(fields(name), place);
  }

  private static SourceNode.Fields fields(String name) {
    SourceNode.Fields fields = Resources.map("/presets/" + name + ".yaml");
    return fields.with("name", new SourceNode.Scalar(fields.origin(), SourceNode.Form.WORD, name));
  }

  /** Values of a preset stand, for messages, where the file names the preset. */
  private static SourceNode.Fields at(SourceNode.Fields fields, Origin place) {
    SourceNode.Fields moved = fields.at(place);
    for (String key : fields.keys()) {
      SourceNode value = fields.get(key);
      if (value != null) {
        moved = moved.with(key, value.at(place));
      }
    }
    return moved;
  }
}
