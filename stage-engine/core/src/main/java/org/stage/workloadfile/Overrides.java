package org.stage.workloadfile;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.stage.job.Origin;

/** Values of the command line laid over those of the file: {@code --set mesh.tp=8}. */
final class Overrides {
  private static final Origin OPTION = new Origin(Origin.OPTION, 0, "");

  private Overrides() {}

  /** The tree with {@code overrides}, the last one winning. */
  static SourceNode.Fields apply(SourceNode.Fields root, List<String> overrides) {
    SourceNode.Fields changed = root;
    for (String override : overrides) {
      int equals = override.indexOf('=');
      if (equals < 1) {
        throw OPTION.fault("'" + override + "' is not KEY=VALUE", "For example --set mesh.tp=8.");
      }
      List<String> path = Arrays.asList(override.substring(0, equals).trim().split("\\.", -1));
      String text = SourceText.checked(Origin.OPTION, override.substring(equals + 1));
      changed = set(changed, path, 0, TreeReader.read(Origin.OPTION, text).at(OPTION));
    }
    return changed;
  }

  private static SourceNode.Fields set(
      SourceNode.Fields at, List<String> path, int depth, SourceNode value) {
    String name = path.get(depth);
    if (depth == path.size() - 1) {
      return at.with(name, value);
    }
    SourceNode inner = at.get(name);
    SourceNode.Fields fields;
    if (inner instanceof SourceNode.Fields map) {
      fields = map;
    } else if (inner == null || isNothing(inner)) {
      fields = new SourceNode.Fields(OPTION, Map.of());
    } else if (depth == 0 && name.equals("model") && inner instanceof SourceNode.Scalar preset) {
      // "model: llama-3.1-8b" with "--set model.layers=4" is the preset with a change.
      fields = new SourceNode.Fields(preset.origin(), Map.of("preset", preset));
    } else {
      String outer = String.join(".", path.subList(0, depth + 1));
      throw OPTION
          .at(String.join(".", path))
          .fault(
              outer + " is " + inner.text() + ", which has no keys",
              "Set " + outer + " as a whole.");
    }
    return at.with(name, set(fields, path, depth + 1, value));
  }

  private static boolean isNothing(SourceNode node) {
    return node instanceof SourceNode.Scalar scalar && scalar.form() == SourceNode.Form.NOTHING;
  }
}
