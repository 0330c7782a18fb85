package org.stage.workloadfile;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.stage.job.Origin;

/**
 * Values of the command line laid over those of the file: {@code --set mesh.tp=8}, {@code --set
 * network[1].gb_per_s=25}.
 */
final class Overrides {
  private static final Origin OPTION = new Origin(Origin.OPTION, 0, "");

  /** Maps in whose place the name of a preset may stand, which a map changes under its name. */
  private static final Set<String> PRESETS = Set.of("model", "hardware");

  private static final Pattern INDEXED = Pattern.compile("(.*?)\\[(\\d{1,6})]");

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
      SourceNode value = TreeReader.read(Origin.OPTION, text).at(OPTION);
      changed = set(changed, path, 0, value);
    }
    return changed;
  }

  private static SourceNode.Fields set(
      SourceNode.Fields at, List<String> path, int depth, SourceNode value) {
    String name = path.get(depth);
    Matcher indexed = INDEXED.matcher(name);
    if (indexed.matches()) {
      String list = indexed.group(1);
      int index = Integer.parseInt(indexed.group(2));
      return at.with(list, setItem(at.get(list), list, index, path, depth, value));
    }
    if (depth == path.size() - 1) {
      return at.with(name, value);
    }
    return at.with(name, set(inner(at.get(name), path, depth), path, depth + 1, value));
  }

  /** The list with a change in its item {@code index}. */
  private static SourceNode setItem(
      @Nullable SourceNode node,
      String list,
      int index,
      List<String> path,
      int depth,
      SourceNode value) {
    int size = node instanceof SourceNode.Items items ? items.items().size() : 0;
    if (!(node instanceof SourceNode.Items items) || index >= size) {
      throw OPTION
          .at(String.join(".", path))
          .fault(
              node == null
                  ? "the file has no list " + list
                  : list + " is " + (size == 0 ? node.text() : "a list of " + size),
              size == 0
                  ? "Set " + list + " as a whole, for example --set \"" + list + "=[...]\"."
                  : "Items are counted from 0, so the last one is "
                      + list
                      + "["
                      + (size - 1)
                      + "].");
    }
    List<SourceNode> changed = new ArrayList<>(items.items());
    boolean last = depth == path.size() - 1;
    changed.set(
        index, last ? value : set(inner(changed.get(index), path, depth), path, depth + 1, value));
    return new SourceNode.Items(items.origin(), changed);
  }

  /** The map in which the rest of a path is set. */
  private static SourceNode.Fields inner(@Nullable SourceNode node, List<String> path, int depth) {
    if (node instanceof SourceNode.Fields map) {
      return map;
    }
    if (node == null || isNothing(node)) {
      return new SourceNode.Fields(OPTION, Map.of());
    }
    String name = path.get(depth);
    if (depth == 0 && PRESETS.contains(name) && node instanceof SourceNode.Scalar preset) {
      // "model: llama-3.1-8b" with "--set model.layers=4" is the preset with a change.
      return new SourceNode.Fields(preset.origin(), Map.of("preset", preset));
    }
    String outer = String.join(".", path.subList(0, depth + 1));
    throw OPTION
        .at(String.join(".", path))
        .fault(
            outer + " is " + node.text() + ", which has no keys",
            node instanceof SourceNode.Items
                ? "Say which item, from 0: " + outer + "[0]." + path.get(depth + 1) + "."
                : "Set " + outer + " as a whole.");
  }

  private static boolean isNothing(SourceNode node) {
    return node instanceof SourceNode.Scalar scalar && scalar.form() == SourceNode.Form.NOTHING;
  }
}
