package org.stage.api.profile;

import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * What one rank of a real run did and how long it took.
 *
 * @param source where it comes from, for messages: the name of the file
 * @param device the device's name as the profile gives it; empty if it does not
 * @param rank the rank that was measured, if the profile says
 * @param steps training steps in it, at least 1; a part of a step counts as one
 * @param operators what was measured, in the order in which each ran first
 */
public record Profile(
    String source, String device, OptionalInt rank, int steps, List<MeasuredOperator> operators) {
  /**
   * Copies the list.
   *
   * @throws IllegalArgumentException if there is not even one step
   */
  public Profile {
    Objects.requireNonNull(source);
    Objects.requireNonNull(device);
    Objects.requireNonNull(rank);
    operators = List.copyOf(operators);
    if (steps < 1) {
      throw new IllegalArgumentException(source + " has " + steps + " steps");
    }
  }

  /** A profile of an unknown rank, one step. */
  public static Profile of(String source, String device, List<MeasuredOperator> operators) {
    return new Profile(source, device, OptionalInt.empty(), 1, operators);
  }
}
