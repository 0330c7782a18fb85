package org.stage.spec;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A piece of a file with its place: what is written, not yet what it means. */
sealed interface Node {
  /** Where it stands; the line of its key, if it has one. */
  Place place();

  /** The same content elsewhere. */
  Node at(Place place);

  /** What it is, in a message: {@code 'ring'}, {@code 6}, {@code a list}. */
  String text();

  /** How a scalar was written. Numbers stay text, so that none is rounded before it is checked. */
  enum Form {
    /** Quoted, or a word. */
    WORD,
    /** Digits. */
    WHOLE,
    /** A number with a point or an exponent, or a special float. */
    DECIMAL,
    /** {@code true} or {@code false}. */
    FLAG,
    /** Nothing, or {@code null}. */
    NOTHING
  }

  /**
   * A single value.
   *
   * @param place where it stands
   * @param form how it is written
   * @param raw its text, without quotes
   */
  record Scalar(Place place, Form form, String raw) implements Node {
    private static final int SHOWN = 60;

    @Override
    public Scalar at(Place other) {
      return new Scalar(other, form, raw);
    }

    @Override
    public String text() {
      String shown = raw.length() > SHOWN ? raw.substring(0, SHOWN) + "..." : raw;
      return switch (form) {
        case WORD -> "'" + shown.replaceAll("\\p{Cntrl}", "?") + "'";
        case NOTHING -> "nothing";
        default -> shown;
      };
    }
  }

  /**
   * A list.
   *
   * @param place where it starts
   * @param items its items
   */
  record Items(Place place, List<Node> items) implements Node {
    /** Copies the list. */
    public Items {
      items = List.copyOf(items);
    }

    @Override
    public Items at(Place other) {
      return new Items(other, items);
    }

    @Override
    public String text() {
      return "a list";
    }
  }

  /**
   * A map.
   *
   * @param place where it starts
   * @param fields its values by key, in the order of the file
   */
  record Fields(Place place, Map<String, Node> fields) implements Node {
    /** Copies the map; its order stays. */
    public Fields {
      fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    /** The value of {@code key}. */
    @Nullable Node get(String key) {
      return fields.get(key);
    }

    /** This map with one value added or replaced. */
    Fields with(String key, Node value) {
      Map<String, Node> changed = new LinkedHashMap<>(fields);
      changed.put(key, value);
      return new Fields(place, changed);
    }

    /** This map without {@code keys}. */
    Fields without(String... keys) {
      Map<String, Node> changed = new LinkedHashMap<>(fields);
      changed.keySet().removeAll(List.of(keys));
      return new Fields(place, changed);
    }

    /** The values of {@code over}, and these where it has none. */
    Fields overlaid(Fields over) {
      Map<String, Node> changed = new LinkedHashMap<>(fields);
      changed.putAll(over.fields);
      return new Fields(over.place, changed);
    }

    /** The keys, as a list. */
    List<String> keys() {
      return new ArrayList<>(fields.keySet());
    }

    @Override
    public Fields at(Place other) {
      return new Fields(other, fields);
    }

    @Override
    public String text() {
      return "a map";
    }
  }
}
