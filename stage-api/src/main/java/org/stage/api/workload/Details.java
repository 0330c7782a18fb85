package org.stage.api.workload;

import java.util.List;
import java.util.OptionalLong;

/**
 * What is known of a node beyond what it does: measured times, and what a foreign trace says of it.
 *
 * @param id its id in the trace that it was read from; empty if it was not read from one
 * @param startNs when it began, nanoseconds from some common point; empty if unknown
 * @param durationNs how long it took, nanoseconds, which goes before any estimate; empty if unknown
 * @param attributes facts that are passed on
 */
public record Details(
    String id, OptionalLong startNs, OptionalLong durationNs, List<Attribute> attributes) {
  /** Nothing is known: the details of a node that was synthesized. */
  public static final Details NONE =
      new Details("", OptionalLong.empty(), OptionalLong.empty(), List.of());

  /**
   * Copies the list.
   *
   * @throws IllegalArgumentException if a time is negative
   */
  public Details {
    attributes = List.copyOf(attributes);
    if (startNs.orElse(0) < 0 || durationNs.orElse(0) < 0) {
      throw new IllegalArgumentException("a node starts or lasts a negative time");
    }
  }

  /** Only a duration, in nanoseconds. */
  public static Details ofDuration(long nanoseconds) {
    return new Details("", OptionalLong.empty(), OptionalLong.of(nanoseconds), List.of());
  }
}
