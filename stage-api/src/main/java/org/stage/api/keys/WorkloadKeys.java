package org.stage.api.keys;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Keys of a workload file with their values, as a user would type them. An importer makes them:
 *
 * <pre>{@code
 * WorkloadKeys keys =
 *     WorkloadKeys.NONE
 *         .with("model.family", "llama")
 *         .with("model.layers", 32)
 *         .with("model.tied", false);
 * }</pre>
 *
 * <p>A key is the path of a value: the names of the maps around it and its own, joined by dots. The
 * page {@code docs/workload-file.md} lists all keys with their values and units, and what holds
 * where one is left out. Leave out what follows from other keys, so that it follows them when a
 * user changes those.
 *
 * <p>The engine reads the keys at the place where a workload file names what was imported, and
 * checks them as if they were typed there: one that it does not know, or whose value is of another
 * type or out of range, is reported to the user by that place.
 *
 * @param values value by key, in the order in which problems are reported; equal keys may differ in
 *     it
 */
public record WorkloadKeys(Map<String, Value> values) {
  private static final String NAME = "[a-z][a-z0-9_]*";
  private static final Pattern PATH = Pattern.compile(NAME + "(\\." + NAME + ")*");

  /** No key, to start with. */
  public static final WorkloadKeys NONE = new WorkloadKeys(Map.of());

  /** A value of a key. */
  public sealed interface Value {
    /** The value as it is typed, text without quotes. */
    String text();
  }

  /**
   * A word, a name or a path.
   *
   * @param text its characters
   */
  public record Text(String text) implements Value {
    /** Requires a text. */
    public Text {
      Objects.requireNonNull(text);
    }
  }

  /**
   * A whole number.
   *
   * @param number in the unit that the key has
   */
  public record Whole(long number) implements Value {
    @Override
    public String text() {
      return Long.toString(number);
    }
  }

  /**
   * {@code true} or {@code false}.
   *
   * @param set whether it is {@code true}
   */
  public record Flag(boolean set) implements Value {
    @Override
    public String text() {
      return Boolean.toString(set);
    }
  }

  /**
   * A list.
   *
   * @param values its values, in order
   */
  public record Items(List<Value> values) implements Value {
    /** Copies the list. */
    public Items {
      values = List.copyOf(values);
    }

    @Override
    public String text() {
      return values.stream().map(Value::text).collect(Collectors.joining(", ", "[", "]"));
    }
  }

  /**
   * Copies the map; its order stays.
   *
   * @throws IllegalArgumentException if a key is no path, or stands below one that has a value
   */
  public WorkloadKeys {
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    for (String key : values.keySet()) {
      if (!PATH.matcher(key).matches()) {
        throw new IllegalArgumentException("'" + key + "' is no key such as model.hidden");
      }
      Objects.requireNonNull(values.get(key), key);
      for (int dot = key.indexOf('.'); dot >= 0; dot = key.indexOf('.', dot + 1)) {
        if (values.containsKey(key.substring(0, dot))) {
          throw new IllegalArgumentException(
              key + " stands below " + key.substring(0, dot) + ", which has a value");
        }
      }
    }
  }

  /**
   * These and {@code key} with a text.
   *
   * @throws IllegalArgumentException if it is no key, or has a value already
   */
  public WorkloadKeys with(String key, String text) {
    return with(key, new Text(text));
  }

  /**
   * These and {@code key} with a whole number.
   *
   * @throws IllegalArgumentException if it is no key, or has a value already
   */
  public WorkloadKeys with(String key, long number) {
    return with(key, new Whole(number));
  }

  /**
   * These and {@code key} with a flag.
   *
   * @throws IllegalArgumentException if it is no key, or has a value already
   */
  public WorkloadKeys with(String key, boolean set) {
    return with(key, new Flag(set));
  }

  /**
   * These and {@code key} with any value.
   *
   * @throws IllegalArgumentException if it is no key, or has a value already
   */
  public WorkloadKeys with(String key, Value value) {
    return and(new WorkloadKeys(Map.of(key, value)));
  }

  /**
   * These keys, then {@code others}.
   *
   * @throws IllegalArgumentException if one of them has a value already
   */
  public WorkloadKeys and(WorkloadKeys others) {
    Map<String, Value> all = new LinkedHashMap<>(values);
    others.values.forEach(
        (key, value) -> {
          if (all.putIfAbsent(key, value) != null) {
            throw new IllegalArgumentException(key + " has a value already");
          }
        });
    return new WorkloadKeys(all);
  }

  /** A line for each key, {@code model.hidden: 4096}. */
  @Override
  public String toString() {
    return values.entrySet().stream()
        .map(each -> each.getKey() + ": " + each.getValue().text())
        .collect(Collectors.joining("\n"));
  }
}
