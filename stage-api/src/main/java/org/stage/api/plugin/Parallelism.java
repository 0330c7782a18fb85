package org.stage.api.plugin;

import java.util.Locale;

/** Ways of spreading a job over devices, as a plugin declares which it can say. */
public enum Parallelism {
  /** Other sequences on each device. */
  DATA("dp"),
  /** A part of each matrix on each device. */
  TENSOR("tp"),
  /** Some layers on each device. */
  PIPELINE("pp"),
  /** A part of each sequence on each device. */
  CONTEXT("cp"),
  /** Some experts on each device. */
  EXPERT("ep");

  private final String axis;

  Parallelism(String axis) {
    this.axis = axis;
  }

  /** The mesh axis that is longer than 1 where it is used: {@code tp}. */
  public String axis() {
    return axis;
  }

  /** The name in listings: {@code tensor}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
