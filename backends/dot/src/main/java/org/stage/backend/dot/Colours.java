package org.stage.backend.dot;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which colour the communications along each axis have. */
final class Colours {
  /** Those of the axes that every job has, so that drawings of two jobs can be compared. */
  private static final Map<String, String> KNOWN =
      Map.of("tp", "#a6cee3", "dp", "#b2df8a", "pp", "#fdbf6f", "cp", "#cab2d6", "ep", "#fb9a99");

  private static final List<String> OTHERS = List.of("#ffff99", "#8dd3c7", "#d9d9d9", "#fccde5");

  private final Map<String, String> used = new LinkedHashMap<>();
  private int others;

  /** The colour of {@code axis}, or of several joined by {@code +}. */
  String of(String axis) {
    return used.computeIfAbsent(axis, this::choose);
  }

  private String choose(String axis) {
    String known = KNOWN.get(axis);
    return known != null ? known : OTHERS.get(others++ % OTHERS.size());
  }

  /** The colours given so far, by axis. */
  Map<String, String> used() {
    return used;
  }
}
