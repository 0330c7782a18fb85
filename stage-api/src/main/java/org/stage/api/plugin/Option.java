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

  /** Copies the list. */
  public Option {
    choices = List.copyOf(choices);
  }

  /** A yes-or-no option. */
  public static Option ofBoolean(String name, boolean defaultValue, String help) {
    return new Option(name, Type.BOOLEAN, Boolean.toString(defaultValue), List.of(), help);
  }

  /** An option that takes one of {@code choices}; the first is the default. */
  public static Option ofChoice(String name, List<String> choices, String help) {
    return new Option(name, Type.CHOICE, choices.get(0), choices, help);
  }
}
