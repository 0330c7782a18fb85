package org.stage.instantiate;

import java.util.Map;
import java.util.OptionalLong;

/**
 * What is known of how long the parts of a job take, before any rank is instantiated: so every
 * micro-batch, layer and rank gets it.
 *
 * @param units modules with known durations, by {@link #key}; those that are not in it are as they
 *     are in the job
 * @param others durations by name of what stands beside the modules, nanoseconds
 */
public record Timing(Map<String, UnitPlan> units, Map<String, Long> others) {
  /** Nothing is known. */
  public static final Timing NONE = new Timing(Map.of(), Map.of());

  /** The name of what a stage sends to the next. */
  public static final String SEND_FORWARD = "send.forward";

  /** The name of what a stage sends to the one before. */
  public static final String SEND_BACKWARD = "send.backward";

  /** The name of the reduction of a tied table's gradient. */
  public static final String TIED = "tied.all-reduce";

  /** Copies the maps. */
  public Timing {
    units = Map.copyOf(units);
    others = Map.copyOf(others);
  }

  /**
   * What a module is known by.
   *
   * @param name the name of its place: {@code layers.17}
   * @param expertRank the lowest expert-parallel coordinate of the ranks that run it
   */
  public static String key(String name, int expertRank) {
    return name + "@" + expertRank;
  }

  /** The duration of {@code name}, nanoseconds, if it is known. */
  OptionalLong of(String name) {
    Long nanoseconds = others.get(name);
    return nanoseconds == null ? OptionalLong.empty() : OptionalLong.of(nanoseconds);
  }
}
