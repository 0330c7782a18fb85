package org.stage.workloadfile;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.stage.job.Nearest;
import org.stage.job.Origin;
import org.stage.job.Problems;

/** Checks a tree against the table of keys. */
final class KeyCheck {
  private static final String PRESET = "preset";

  private final Problems problems;
  private final boolean complete;

  /**
   * A check.
   *
   * @param problems gets what is found
   * @param complete whether required keys must be there; a preset is a part of a file
   */
  KeyCheck(Problems problems, boolean complete) {
    this.problems = problems;
    this.complete = complete;
  }

  /** Checks the map at {@code path}; at the top, the path is empty. */
  void fields(String path, SourceNode.Fields fields, boolean open, String shown) {
    List<Key> keys = Keys.in(path);
    List<String> names = keys.stream().map(Key::name).toList();
    Set<String> misspelt = new HashSet<>();
    fields
        .fields()
        .forEach(
            (name, value) -> {
              String here = shown.isEmpty() ? name : shown + "." + name;
              if (names.contains(name)) {
                key(Keys.at(path.isEmpty() ? name : path + "." + name), value, here);
              } else if (open) {
                option(value, here);
              } else {
                String meant = meant(name, names, path);
                misspelt.add(meant);
                unknown(name, value.origin(), meant, names, shown);
              }
            });
    // What a preset gives need not be said again.
    boolean whole = complete && !fields.fields().containsKey(PRESET);
    for (Key key : keys) {
      boolean there = fields.fields().containsKey(key.name()) || misspelt.contains(key.name());
      if (whole && key.required() && !there) {
        String missing = shown.isEmpty() ? key.name() : shown + "." + key.name();
        problems.add(
            fields.origin().at(missing), "is missing", "Add it: " + key.type().expected() + ".");
      }
    }
  }

  private void key(Key key, SourceNode value, String shown) {
    if (value instanceof SourceNode.Scalar scalar && scalar.form() == SourceNode.Form.NOTHING) {
      problems.add(
          value.origin().at(shown),
          "has no value",
          "Write " + key.type().expected() + ", or remove it.");
      return;
    }
    var fault = key.type().fault(value);
    if (fault.isPresent()) {
      problems.add(value.origin().at(shown), fault.get().message(), fault.get().remedy());
    } else if (value instanceof SourceNode.Fields fields
        && key.type() instanceof KeyType.Section section) {
      fields(key.path(), fields, section.open(), shown);
    } else if (value instanceof SourceNode.Fields named
        && key.type() instanceof KeyType.Named type) {
      named.fields().forEach((name, each) -> named(key, type, name, each, shown));
    } else if (value instanceof SourceNode.Items items && key.type() instanceof KeyType.ListOf) {
      for (int i = 0; i < items.items().size(); i++) {
        key(Keys.at(key.path() + "[]"), items.items().get(i), shown + "[" + i + "]");
      }
    }
  }

  private void named(Key key, KeyType.Named type, String name, SourceNode value, String shown) {
    SourceNode.Scalar word = new SourceNode.Scalar(value.origin(), SourceNode.Form.WORD, name);
    type.names()
        .fault(word)
        .ifPresent(
            fault -> problems.add(value.origin().at(shown), fault.message(), fault.remedy()));
    key(Keys.at(key.path() + ".*"), value, shown + "." + name);
  }

  private void option(SourceNode value, String shown) {
    boolean single =
        value instanceof SourceNode.Scalar scalar && scalar.form() != SourceNode.Form.NOTHING;
    if (!single) {
      problems.add(
          value.origin().at(shown),
          value.text() + " is not a single value",
          "Options are single values.");
    }
  }

  /**
   * The key that was probably meant: one that other programs call so, one of this name in another
   * map, which is a common slip ({@code tp} at the top), or one that is written like it. Its name
   * where it is of this map, else its path; nothing if there is none.
   */
  private static String meant(String name, List<String> names, String path) {
    return Keys.calledElsewhere(name)
        .or(() -> Keys.all().values().stream().filter(key -> key.name().equals(name)).findFirst())
        .filter(key -> !key.path().contains("[]"))
        .map(key -> key.parent().equals(path) ? key.name() : key.path())
        .or(() -> Nearest.name(name, names))
        .orElse("");
  }

  private void unknown(String name, Origin origin, String meant, List<String> names, String shown) {
    String where = shown.isEmpty() ? "a workload file" : shown;
    String clean = new SourceNode.Scalar(origin, SourceNode.Form.WORD, name).text();
    problems.add(
        // what was typed is shown whole
        origin.at(origin.isOption() ? shown + (shown.isEmpty() ? "" : ".") + name : shown),
        "there is no key " + clean + " in " + where,
        (meant.isEmpty() ? "" : "Did you mean " + meant + "? ")
            + ("Keys: " + String.join(", ", names) + "."));
  }
}
