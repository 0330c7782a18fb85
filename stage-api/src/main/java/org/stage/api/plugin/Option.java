package org.stage.api.plugin;

import java.util.List;

/**
 * An option that a plugin declares.
 *
 * @param name as in a workload file, lower case with dashes
 * @param type what values it takes
 * @param defaultValue used where the user says nothing
 * @param choices the values of a {@link Type#CHOICE}; else empty
 * @param help one line
 */
public record Option(
    String name, Type type, String defaultValue, List<String> choices, String help) {
  /** What values an option takes. */
  public enum Type {
    /** Any text. */
    STRING,
    /** A whole number of 64 bits. */
    INTEGER,
    /** {@code true} or {@code false}. */
    BOOLEAN,
    /** One of a list of words. */
    CHOICE
  }

  /**
   * Copies the list.
   *
   * @throws IllegalArgumentException if the default is not a value of the type
   */
  public Option {
    choices = List.copyOf(choices);
    if (!accepts(type, choices, defaultValue)) {
      throw new IllegalArgumentException(
          "option '" + name + "' cannot have the default '" + defaultValue + "'");
    }
  }

  /** An option that takes any text. */
  public static Option ofString(String name, String defaultValue, String help) {
    return new Option(name, Type.STRING, defaultValue, List.of(), help);
  }

  /** An option that takes a whole number. */
  public static Option ofInteger(String name, long defaultValue, String help) {
    return new Option(name, Type.INTEGER, Long.toString(defaultValue), List.of(), help);
  }

  /** A yes-or-no option. */
  public static Option ofBoolean(String name, boolean defaultValue, String help) {
    return new Option(name, Type.BOOLEAN, Boolean.toString(defaultValue), List.of(), help);
  }

  /** An option that takes one of {@code choices}, at least one; the first is the default. */
  public static Option ofChoice(String name, List<String> choices, String help) {
    return new Option(name, Type.CHOICE, choices.get(0), choices, help);
  }

  /** Whether {@code value} is one that this option takes. */
  public boolean accepts(String value) {
    return accepts(type, choices, value);
  }

  /** What values it takes, in words: {@code true or false}. */
  public String expected() {
    return switch (type) {
      case STRING -> "any text";
      case INTEGER -> "a whole number";
      case BOOLEAN -> "true or false";
      case CHOICE -> String.join(" or ", choices);
    };
  }

  private static boolean accepts(Type type, List<String> choices, String value) {
    return switch (type) {
      case STRING -> true;
      case INTEGER -> isLong(value);
      case BOOLEAN -> value.equals("true") || value.equals("false");
      case CHOICE -> choices.contains(value);
    };
  }

  private static boolean isLong(String value) {
    try {
      return Long.toString(Long.parseLong(value)).equals(value);
    } catch (NumberFormatException e) {
      return false;
    }
  }
}
