package org.stage.spec;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A checked tree, read by path; what is not in it has the fallback of the table. */
final class Values {
  private final Node.Fields root;

  Values(Node.Fields root) {
    this.root = root;
  }

  /** Whether the file has {@code path}. */
  boolean has(String path) {
    return find(path) != null;
  }

  /** What the file has at {@code path}. */
  Optional<Node> node(String path) {
    return Optional.ofNullable(find(path));
  }

  /** Where {@code path} stands, or else the map that would hold it. */
  Place place(String path) {
    Node node = root;
    for (String name : path.split("\\.")) {
      Node next = node instanceof Node.Fields fields ? fields.get(name) : null;
      if (next == null) {
        break;
      }
      node = next;
    }
    return node.place();
  }

  /** A word or any other scalar as it is written. */
  String word(String path) {
    return find(path) instanceof Node.Scalar scalar ? scalar.raw() : Keys.at(path).fallback();
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

  /** A flag. */
  boolean flag(String path) {
    return Boolean.parseBoolean(word(path).toLowerCase(Locale.ROOT));
  }

  /** A flag, or {@code otherwise} if there is none. */
  boolean flag(String path, boolean otherwise) {
    return has(path) ? flag(path) : otherwise;
  }

  /** The items of a list; none if there is no list. */
  List<Node> items(String path) {
    return find(path) instanceof Node.Items items ? items.items() : List.of();
  }

  /** The maps of a list, each to be read with the path of the list's items. */
  List<Values> maps(String path) {
    return items(path).stream()
        .filter(Node.Fields.class::isInstance)
        .map(item -> new Values(new Node.Fields(item.place(), Map.of(path + "[]", item))))
        .collect(Collectors.toList());
  }

  private @Nullable Node find(String path) {
    Node node = root;
    for (String name : path.split("\\.")) {
      node = node instanceof Node.Fields fields ? fields.get(name) : null;
      if (node == null) {
        return null;
      }
    }
    return node;
  }
}
