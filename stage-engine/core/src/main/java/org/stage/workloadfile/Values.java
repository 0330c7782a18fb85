package org.stage.workloadfile;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.stage.job.Origin;
import org.stage.job.Origins;
import org.stage.job.Problems;

/**
 * A checked tree, read by path; what is not in it has the fallback of the table. What its readers
 * find wrong is collected beside it.
 */
final class Values {
  private final SourceNode.Fields root;
  private final Problems problems = new Problems();

  Values(SourceNode.Fields root) {
    this.root = root;
  }

  /** Whether the file has {@code path}. */
  boolean has(String path) {
    return find(path) != null;
  }

  /** What the file has at {@code path}. */
  Optional<SourceNode> node(String path) {
    return Optional.ofNullable(find(path));
  }

  /** What was found wrong. */
  Problems problems() {
    return problems;
  }

  /**
   * Notes that what stands at {@code path} is wrong. Where it does not fit another key that the
   * message names, and that one was typed on the command line, the fault is that of the latter.
   */
  void fault(String path, String message, String remedy) {
    Origin place = origin(path);
    Optional<Origin> typed = place.isOption() ? Optional.empty() : typedIn(message);
    typed.ifPresentOrElse(
        option -> problems.add(option, place.within() + ": " + message, remedy),
        () -> problems.add(place, message, remedy));
  }

  /** The place of a key of the command line that {@code message} names. */
  private Optional<Origin> typedIn(String message) {
    List<String> words = List.of(message.split("[^A-Za-z0-9_.]+"));
    return origins().byKey().values().stream()
        .filter(each -> each.isOption() && each.key().contains(".") && words.contains(each.key()))
        .min(Comparator.comparing(Origin::key));
  }

  /** Where {@code path} stands, or else the map that would hold it. */
  Origin origin(String path) {
    return origins().of(path);
  }

  /** Where all of it stands. */
  Origins origins() {
    Map<String, Origin> byKey = new HashMap<>();
    collect("", root, byKey);
    return new Origins(root.origin(), byKey);
  }

  private static void collect(String prefix, SourceNode.Fields fields, Map<String, Origin> byKey) {
    fields
        .fields()
        .forEach(
            (name, value) -> {
              String key = prefix + name;
              byKey.put(key, value.origin().at(key));
              if (value instanceof SourceNode.Fields inner) {
                collect(key + ".", inner, byKey);
              }
            });
  }

  /** A word or any other scalar as it is written. */
  String word(String path) {
    return find(path) instanceof SourceNode.Scalar scalar ? scalar.raw() : Keys.at(path).fallback();
  }

  /** A whole number, which the table bounds to the range of an int. */
  int whole(String path) {
    return Integer.parseInt(word(path));
  }

  /** A whole number, or {@code otherwise} if there is none. */
  int whole(String path, int otherwise) {
    return has(path) ? whole(path) : otherwise;
  }

  /** A number. */
  double decimal(String path) {
    return Double.parseDouble(word(path));
  }

  /** A word that names a constant: {@code all-gather} names {@code ALL_GATHER}. */
  <T extends Enum<T>> T constant(String path, Class<T> type) {
    return Enum.valueOf(type, word(path).toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /** A flag. */
  boolean flag(String path) {
    return Boolean.parseBoolean(word(path).toLowerCase(Locale.ROOT));
  }

  /** A flag, or {@code otherwise} if there is none. */
  boolean flag(String path, boolean otherwise) {
    return has(path) ? flag(path) : otherwise;
  }

  /** The items of a list; none if there is no list. */
  List<SourceNode> items(String path) {
    return find(path) instanceof SourceNode.Items items ? items.items() : List.of();
  }

  /** The maps of a list, each to be read with the path of the list's items. */
  List<Values> maps(String path) {
    return items(path).stream()
        .filter(SourceNode.Fields.class::isInstance)
        .map(item -> new Values(new SourceNode.Fields(item.origin(), Map.of(path + "[]", item))))
        .collect(Collectors.toList());
  }

  private @Nullable SourceNode find(String path) {
    SourceNode node = root;
    for (String name : path.split("\\.")) {
      node = node instanceof SourceNode.Fields fields ? fields.get(name) : null;
      if (node == null) {
        return null;
      }
    }
    return node;
  }
}
