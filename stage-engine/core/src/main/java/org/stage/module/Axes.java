package org.stage.module;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.stage.api.graph.Axis;
import org.stage.api.graph.AxisRole;
import org.stage.api.symbol.Expr;
import org.stage.api.text.Words;

/**
 * The axes that a module file may use: those that all files share, and those that it declares.
 *
 * @param byName in order of declaration, the shared ones first
 */
record Axes(Map<String, Axis> byName) {
  static final Axes NONE = new Axes(Map.of());

  private static final String KEY = "axes";
  private static final String SIZE = "size";
  private static final String ROLE = "role";

  /** Copies the map, keeping its order. */
  Axes {
    byName = Collections.unmodifiableMap(new LinkedHashMap<>(byName));
  }

  /**
   * The axes of a file.
   *
   * @param shared those that all files may use
   * @throws org.stage.api.diagnostic.InputException if a declaration is not of the form, names a
   *     role that there is none of, or is not what {@code shared} says of that axis
   */
  static Axes of(ModuleFile file, Axes shared) {
    Map<String, Axis> axes = new LinkedHashMap<>(shared.byName);
    file.path(KEY)
        .properties()
        .forEach(
            entry -> {
              Axis axis = read(file, entry.getKey(), entry.getValue());
              Axis before = axes.putIfAbsent(axis.name(), axis);
              if (before != null && !before.equals(axis)) {
                throw conflict(file, entry.getValue(), axis, before);
              }
            });
    return new Axes(axes);
  }

  private static RuntimeException conflict(ModuleFile file, JsonNode at, Axis axis, Axis before) {
    return file.fault(
        at,
        KEY + "." + axis.name(),
        "is declared as " + text(axis) + ", and for all modules as " + text(before),
        "Leave it out, or choose another name.");
  }

  /** {@code {size: seq, role: sequence}}. */
  static String text(Axis axis) {
    return "{size: " + axis.size() + ", role: " + axis.role().text() + "}";
  }

  private static Axis read(ModuleFile file, String name, JsonNode declared) {
    String key = KEY + "." + name;
    JsonNode size = declared.isObject() ? declared.path(SIZE) : declared;
    if (!size.isTextual() && !size.isIntegralNumber()) {
      throw file.fault(
          declared,
          key,
          "has no size: found " + declared + ", expected a size, or {size: ..., role: ...}",
          "");
    }
    declared
        .fieldNames()
        .forEachRemaining(
            field -> {
              if (!field.equals(SIZE) && !field.equals(ROLE)) {
                throw file.fault(
                    declared,
                    key,
                    "there is no key '" + field + "' of an axis",
                    "Keys: size, role.");
              }
            });
    try {
      return new Axis(name, Expr.parse(size.asText()), role(file, key, declared));
    } catch (IllegalArgumentException e) {
      throw file.fault(
          size, key, "its size '" + size.asText() + "' is none: " + e.getMessage(), "");
    }
  }

  private static AxisRole role(ModuleFile file, String key, JsonNode declared) {
    String word = declared.path(ROLE).asText(AxisRole.NONE.text());
    List<String> known = new ArrayList<>();
    for (AxisRole role : AxisRole.values()) {
      if (role.text().equals(word)) {
        return role;
      }
      known.add(role.text());
    }
    throw file.fault(
        declared,
        key,
        "there is no role '"
            + word
            + "'; nearest: "
            + String.join(", ", Words.nearest(word, known)),
        "Roles: "
            + String.join(", ", Arrays.stream(AxisRole.values()).map(AxisRole::text).toList())
            + ".");
  }

  /**
   * An axis that is used.
   *
   * @param at where it is used
   * @param use what uses it, as text
   * @throws org.stage.api.diagnostic.InputException if it is not declared
   */
  Axis get(ModuleFile file, String name, JsonNode at, String use) {
    Axis axis = byName.get(name);
    if (axis == null) {
      List<String> nearest = Words.nearest(name, List.copyOf(byName.keySet()));
      throw file.fault(
          at,
          use,
          "axis '" + name + "' is not declared; nearest: " + String.join(", ", nearest),
          "Declare it under axes, with its size and, if it has one, its role.");
    }
    return axis;
  }
}
