package org.stage.api.plugin;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.stage.api.diagnostic.InputException;

/**
 * Values of a plugin's options, checked against their declarations.
 *
 * @param values value by option name; every declared option is there
 */
public record OptionValues(Map<String, String> values) {
  /** Copies the map. */
  public OptionValues {
    values = Map.copyOf(values);
  }

  /**
   * Completes and checks what a user gave. Called by the host.
   *
   * @param source where the values stand, for messages
   * @param declared the plugin's options
   * @param given value by name, as typed
   * @throws InputException if one is not declared or not of its type
   */
  public static OptionValues of(String source, List<Option> declared, Map<String, String> given) {
    Map<String, String> values = new TreeMap<>();
    for (Option option : declared) {
      values.put(option.name(), option.defaultValue());
    }
    given.forEach(
        (name, value) -> {
          Option option =
              declared.stream()
                  .filter(candidate -> candidate.name().equals(name))
                  .findFirst()
                  .orElseThrow(() -> unknown(source, name, declared));
          check(source, option, value);
          values.put(name, value);
        });
    return new OptionValues(values);
  }

  /**
   * The value of a declared option.
   *
   * @throws IllegalArgumentException if it is not declared: a fault of the plugin
   */
  public String get(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException("option '" + name + "' is not declared");
    }
    return value;
  }

  /**
   * The value of a declared yes-or-no option.
   *
   * @throws IllegalArgumentException if it is not declared
   */
  public boolean isSet(String name) {
    return Boolean.parseBoolean(get(name));
  }

  /**
   * The value of a declared option that takes a whole number.
   *
   * @throws IllegalArgumentException if it is not declared, or takes something else
   */
  public long integer(String name) {
    return Long.parseLong(get(name));
  }

  private static InputException unknown(String source, String name, List<Option> declared) {
    List<String> names = declared.stream().map(Option::name).sorted().toList();
    return new InputException(
        source,
        "option '" + name + "' is not known",
        names.isEmpty() ? "There are no options." : "Options: " + String.join(", ", names) + ".");
  }

  private static void check(String source, Option option, String value) {
    if (!option.accepts(value)) {
      throw new InputException(
          source,
          "option '" + option.name() + "' is '" + value + "'",
          "Expected " + option.expected() + ".");
    }
  }
}
