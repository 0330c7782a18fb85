package org.stage.backend.simai;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A node's name, taken apart.
 *
 * @param microBatch from 0; {@link #STEP} if it belongs to the step as a whole
 * @param unit the module of the model: {@code layers.17}, {@code embedding}
 * @param component the first part of the rest: {@code mlp}; empty if there is none
 */
record NodeName(int microBatch, String unit, String component) {
  static final int STEP = -1;

  private static final Pattern FORM =
      Pattern.compile(
          "(?:mb(?<batch>\\d{1,9})\\.)?(?<unit>[^.]+(?:\\.\\d+)?)(?:\\.(?<component>[^.]+).*)?");

  static NodeName of(String name) {
    Matcher parts = FORM.matcher(name);
    if (!parts.matches()) {
      return new NodeName(STEP, name, "");
    }
    String batch = parts.group("batch");
    String component = parts.group("component");
    return new NodeName(
        batch == null ? STEP : Integer.parseInt(batch),
        parts.group("unit"),
        component == null ? "" : component);
  }
}
