package org.stage.api.profile;

import java.util.Objects;

/**
 * A step that the profile marks.
 *
 * @param name as the profile calls it: {@code ProfilerStep#12}
 * @param startNs when it began on the host, nanoseconds on the clock of {@link Runs#startNs}
 * @param durationNs how long it took on the host, nanoseconds
 */
public record ProfileStep(String name, long startNs, long durationNs) {
  /** Checks that nothing is missing. */
  public ProfileStep {
    Objects.requireNonNull(name);
  }
}
