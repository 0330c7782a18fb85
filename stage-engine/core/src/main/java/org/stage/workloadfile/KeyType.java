package org.stage.workloadfile;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.stage.job.Nearest;

/** What a key takes: the one source of its check, its schema and its line in the manual. */
sealed interface KeyType
    permits KeyType.OneOf,
        KeyType.WordOrList,
        KeyType.NameOrPath,
        KeyType.Text,
        KeyType.Section,
        KeyType.ListOf,
        KeyType.Named,
        KeyType.Unbuilt,
        NumberType {
  /** For a message: {@code a whole number from 1 to 8}. */
  String expected();

  /**
   * What is wrong with {@code node} as a whole; parts of maps and lists are checked on their own.
   */
  Optional<Fault> fault(SourceNode node);

  /**
   * A wrong value.
   *
   * @param message what is wrong
   * @param remedy what to write instead
   */
  record Fault(String message, String remedy) {}

  /**
   * One of a few values.
   *
   * @param form how all of them are written
   * @param now those there are
   * @param later those that are known, but not built yet
   * @param planned what else is not built yet
   */
  record OneOf(SourceNode.Form form, List<String> now, List<String> later, List<Planned> planned)
      implements KeyType {
    /** Copies the lists. */
    public OneOf {
      now = List.copyOf(now);
      later = List.copyOf(later);
      planned = List.copyOf(planned);
    }

    @Override
    public String expected() {
      return now.size() == 1 ? now.get(0) : "one of " + String.join(", ", now);
    }

    @Override
    public Optional<Fault> fault(SourceNode node) {
      if (node instanceof SourceNode.Scalar scalar
          && scalar.form() == form
          && now.contains(literal(scalar))) {
        return Optional.empty();
      }
      boolean known = node instanceof SourceNode.Scalar scalar && later.contains(literal(scalar));
      if (known || planned.stream().anyMatch(each -> each.matches(node))) {
        return Optional.of(
            new Fault(
                node.text() + " is not available in this version",
                "Available: " + String.join(", ", now) + "."));
      }
      if (!(node instanceof SourceNode.Scalar scalar)) {
        return Optional.of(
            new Fault(node.text() + " is not expected here", "Write " + expected() + "."));
      }
      if (form != SourceNode.Form.WORD || scalar.form() != SourceNode.Form.WORD) {
        return Optional.of(new Fault(scalar.text() + " is not " + expected(), ""));
      }
      String remedy = Nearest.remedy(scalar.raw(), now, "Available");
      return Optional.of(new Fault("there is no " + scalar.text() + " here", remedy));
    }

    private String literal(SourceNode.Scalar scalar) {
      return form == SourceNode.Form.FLAG ? scalar.raw().toLowerCase(Locale.ROOT) : scalar.raw();
    }
  }

  /**
   * A word, or a list of one item or more, none twice.
   *
   * @param word the words
   * @param item what the items are
   */
  record WordOrList(OneOf word, KeyType item) implements KeyType {
    @Override
    public String expected() {
      return word.expected() + ", or a list, each item " + item.expected();
    }

    @Override
    public Optional<Fault> fault(SourceNode node) {
      if (!(node instanceof SourceNode.Items items)) {
        return word.fault(node);
      }
      if (items.items().isEmpty()) {
        return Optional.of(new Fault("the list is empty", "Write " + expected() + "."));
      }
      return items.items().stream()
          .flatMap(each -> item.fault(each).stream())
          .findFirst()
          .or(() -> new ListOf(true).fault(node));
    }
  }

  /**
   * One of a few names, or a path. What a name cannot be is a path: one with a slash, or of a JSON
   * or YAML file.
   *
   * @param names the names
   * @param file what the path is of
   */
  record NameOrPath(OneOf names, String file) implements KeyType {
    /** What a path matches as a whole. */
    static final String PATTERN = "(.*[/\\\\].*|.*\\.(json|yaml|yml))";

    private static final Pattern PATH = Pattern.compile(PATTERN);

    /** Whether {@code text} is a path. */
    static boolean isPath(String text) {
      return PATH.matcher(text).matches();
    }

    @Override
    public String expected() {
      return names.expected() + ", or the path of a " + file;
    }

    @Override
    public Optional<Fault> fault(SourceNode node) {
      if (node instanceof SourceNode.Scalar scalar
          && scalar.form() == SourceNode.Form.WORD
          && isPath(scalar.raw())) {
        return Optional.empty();
      }
      String orPath = " Or name a " + file + " by its path.";
      return names.fault(node).map(fault -> new Fault(fault.message(), fault.remedy() + orPath));
    }
  }

  /**
   * Free text.
   *
   * @param pattern what it matches as a whole
   * @param expected the pattern in words
   */
  record Text(String pattern, String expected) implements KeyType {
    @Override
    public Optional<Fault> fault(SourceNode node) {
      if (!(node instanceof SourceNode.Scalar scalar)) {
        return Optional.of(new Fault(node.text() + " is not text", "Write " + expected + "."));
      }
      if (scalar.form() != SourceNode.Form.WORD) {
        return Optional.of(
            new Fault(
                scalar.text() + " is not text", "Put it in quotes: \"" + scalar.raw() + "\"."));
      }
      return Pattern.matches(pattern, scalar.raw())
          ? Optional.empty()
          : Optional.of(
              new Fault(scalar.text() + " is not " + expected, "Write " + expected + "."));
    }
  }

  /**
   * A map; its keys are in the table.
   *
   * @param open whether it may have further keys, with single values
   * @param instead what may stand there instead of the map
   */
  record Section(boolean open, @Nullable KeyType instead) implements KeyType {
    @Override
    public String expected() {
      return instead == null ? "a map" : "a map, or " + instead.expected();
    }

    @Override
    public Optional<Fault> fault(SourceNode node) {
      if (node instanceof SourceNode.Fields) {
        return Optional.empty();
      }
      return instead == null || node instanceof SourceNode.Items
          ? Optional.of(new Fault(node.text() + " is not a map", "Write " + expected() + "."))
          : instead.fault(node);
    }
  }

  /**
   * A list; the table has its items under the key followed by {@code []}.
   *
   * @param unique whether no two items may be equal
   */
  record ListOf(boolean unique) implements KeyType {
    @Override
    public String expected() {
      return "a list";
    }

    @Override
    public Optional<Fault> fault(SourceNode node) {
      if (!(node instanceof SourceNode.Items items)) {
        return Optional.of(new Fault(node.text() + " is not a list", "Put it in brackets: [...]."));
      }
      List<String> seen = new ArrayList<>();
      for (SourceNode item : items.items()) {
        if (unique && item instanceof SourceNode.Scalar scalar) {
          if (seen.contains(scalar.raw())) {
            return Optional.of(new Fault(scalar.text() + " stands twice in the list", ""));
          }
          seen.add(scalar.raw());
        }
      }
      return Optional.empty();
    }
  }

  /**
   * A map whose keys are names that the user chooses; the table has its values under the key
   * followed by {@code .*}.
   *
   * @param names what the names are like
   * @param word what may stand there instead; empty if nothing may
   */
  record Named(Text names, String word) implements KeyType {
    @Override
    public String expected() {
      return "a map from " + names.expected() + (word.isEmpty() ? "" : ", or " + word);
    }

    @Override
    public Optional<Fault> fault(SourceNode node) {
      boolean is = node instanceof SourceNode.Scalar scalar && scalar.raw().equals(word);
      return node instanceof SourceNode.Fields || is
          ? Optional.empty()
          : Optional.of(new Fault(node.text() + " is not a map", "Write " + expected() + "."));
    }
  }

  /**
   * A map or list that is known, but not built yet; only an empty one is accepted.
   *
   * @param map whether it is a map
   */
  record Unbuilt(boolean map) implements KeyType {
    @Override
    public String expected() {
      return map ? "a map" : "a list";
    }

    @Override
    public Optional<Fault> fault(SourceNode node) {
      return Optional.of(new Fault("is not available in this version", "Remove it."));
    }
  }
}
