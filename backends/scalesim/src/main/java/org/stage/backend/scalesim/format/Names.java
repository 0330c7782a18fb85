package org.stage.backend.scalesim.format;

/** Names that no reader of SCALE-Sim takes for something else. */
public final class Names {
  private Names() {}

  /** {@code name} in letters, digits, {@code _} and {@code -}; others become {@code _}. */
  public static String safe(String name) {
    String safe = name.replaceAll("[^A-Za-z0-9_-]", "_");
    return safe.isEmpty() ? "layer" : safe;
  }
}
