package org.stage.spec;

import java.util.List;
import java.util.Optional;
import org.stage.api.profile.Profile;

/**
 * Durations that are known better than by an estimate: measured ones, and those set by hand.
 *
 * @param profiles what was measured, in the order of the file
 * @param injections what is set by hand, which goes before all measurements; the last one wins
 */
public record KnownTimes(List<Measured> profiles, List<Injection> injections) {
  /** Nothing is known. */
  public static final KnownTimes NONE = new KnownTimes(List.of(), List.of());

  /** Copies the lists. */
  public KnownTimes {
    profiles = List.copyOf(profiles);
    injections = List.copyOf(injections);
  }

  /** Whether nothing is known. */
  public boolean isEmpty() {
    return profiles.isEmpty() && injections.isEmpty();
  }

  /**
   * A profile that is to be used.
   *
   * @param profile what was measured
   * @param only the names for which it is used; empty for all
   */
  public record Measured(Profile profile, Optional<NamePattern> only) {}

  /**
   * A duration set by hand.
   *
   * @param pattern the names that get it, without micro-batch
   * @param durationNs nanoseconds
   * @param source where it is written, for messages
   */
  public record Injection(NamePattern pattern, long durationNs, String source) {}
}
