package org.stage.api.profile;

import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * What one rank of a real run did and how long it took.
 *
 * @param source where it comes from, for messages: the name of the file
 * @param device what it ran on
 * @param rank the rank that was measured, if the profile says
 * @param span from the first event to the last; {@link TimeSpan#NONE} if nothing has a time
 * @param steps the steps that it marks, in order of time; empty if it marks none
 * @param operators what was measured, in the order in which each ran first
 * @param coverage what was in the file
 */
public record Profile(
    String source,
    ProfiledDevice device,
    OptionalInt rank,
    TimeSpan span,
    List<ProfileStep> steps,
    List<MeasuredOperator> operators,
    Coverage coverage) {
  /** Copies the lists. */
  public Profile {
    Objects.requireNonNull(source);
    Objects.requireNonNull(device);
    Objects.requireNonNull(rank);
    Objects.requireNonNull(span);
    Objects.requireNonNull(coverage);
    steps = List.copyOf(steps);
    operators = List.copyOf(operators);
  }
}
