package org.stage.workloadfile;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.stage.job.Origin;

/** A piece of a file with its origin: what is written, not yet what it means. */
sealed interface SourceNode {
  /** Where it stands; the line of its key, if it has one. */
  Origin origin();

  /** The same content elsewhere. */
  SourceNode at(Origin origin);

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
   * @param origin where it stands
   * @param form how it is written
   * @param raw its text, without quotes
   */
  record Scalar(Origin origin, Form form, String raw) implements SourceNode {
    private static final int SHOWN = 60;

    @Override
    public Scalar at(Origin other) {
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
   * @param origin where it starts
   * @param items its items
   */
  record Items(Origin origin, List<SourceNode> items) implements SourceNode {
    /** Copies the list. */
    public Items {
      items = List.copyOf(items);
    }

    @Override
    public Items at(Origin other) {
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
   * @param origin where it starts
   * @param fields its values by key, in the order of the file
   */
  record Fields(Origin origin, Map<String, SourceNode> fields) implements SourceNode {
    /** Copies the map; its order stays. */
    public Fields {
      fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    /** The value of {@code key}. */
    @Nullable SourceNode get(String key) {
      return fields.get(key);
    }

    /** This map with one value added or replaced. */
    Fields with(String key, SourceNode value) {
      Map<String, SourceNode> changed = new LinkedHashMap<>(fields);
      changed.put(key, value);
      return new Fields(origin, changed);
    }

    /** This map without {@code keys}. */
    Fields without(String... keys) {
      Map<String, SourceNode> changed = new LinkedHashMap<>(fields);
      changed.keySet().removeAll(List.of(keys));
      return new Fields(origin, changed);
    }

    /** The values of {@code over}, and these where it has none. */
    Fields overlaid(Fields over) {
      Map<String, SourceNode> changed = new LinkedHashMap<>(fields);
      changed.putAll(over.fields);
      return new Fields(over.origin, changed);
    }

    /** The keys, as a list. */
    List<String> keys() {
      return new ArrayList<>(fields.keySet());
    }

    @Override
    public Fields at(Origin other) {
      return new Fields(other, fields);
    }

    @Override
    public String text() {
      return "a map";
    }
  }
}
