package org.stage.spec;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.stage.api.diagnostic.InputException;

/** Values of the command line laid over those of the file: {@code --set mesh.tp=8}. */
final class Overrides {
  private static final Place PLACE = new Place(Place.OPTION, 0);

  private Overrides() {}

  /** The tree with {@code overrides}, the last one winning. */
  static Node.Fields apply(Node.Fields root, List<String> overrides) {
    Node.Fields changed = root;
    for (String override : overrides) {
      int equals = override.indexOf('=');
      if (equals < 1) {
        throw new InputException(
            PLACE.at(""), "'" + override + "' is not KEY=VALUE", "For example --set mesh.tp=8.");
      }
      List<String> path = Arrays.asList(override.substring(0, equals).trim().split("\\.", -1));
      String text = SourceText.checked(Place.OPTION, override.substring(equals + 1));
      changed = set(changed, path, 0, TreeReader.read(Place.OPTION, text).at(PLACE));
    }
    return changed;
  }

  private static Node.Fields set(Node.Fields at, List<String> path, int depth, Node value) {
    String name = path.get(depth);
    if (depth == path.size() - 1) {
      return at.with(name, value);
    }
    Node inner = at.get(name);
    Node.Fields fields;
    if (inner instanceof Node.Fields map) {
      fields = map;
    } else if (inner == null || isNothing(inner)) {
      fields = new Node.Fields(PLACE, Map.of());
    } else if (depth == 0 && name.equals("model") && inner instanceof Node.Scalar preset) {
      // "model: llama-3.1-8b" with "--set model.layers=4" is the preset with a change.
      fields = new Node.Fields(preset.place(), Map.of("preset", preset));
    } else {
      String outer = String.join(".", path.subList(0, depth + 1));
      throw new InputException(
          PLACE.at(String.join(".", path)),
          outer + " is " + inner.text() + ", which has no keys",
          "Set " + outer + " as a whole.");
    }
    return at.with(name, set(fields, path, depth + 1, value));
  }

  private static boolean isNothing(Node node) {
    return node instanceof Node.Scalar scalar && scalar.form() == Node.Form.NOTHING;
  }
}
