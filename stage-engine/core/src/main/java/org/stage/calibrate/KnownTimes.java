package org.stage.calibrate;

import java.util.List;
import java.util.Optional;
import org.stage.api.profile.Profile;
import org.stage.job.InjectedDuration;
import org.stage.job.NamePattern;

/**
 * Durations that are known better than by an estimate: measured ones, and those set by hand.
 *
 * @param profiles what was measured
 * @param injected what is set by hand, which goes before all measurements; the last one wins
 */
public record KnownTimes(List<Measured> profiles, List<InjectedDuration> injected) {
  /** Nothing is known. */
  public static final KnownTimes NONE = new KnownTimes(List.of(), List.of());

  /** Copies the lists. */
  public KnownTimes {
    profiles = List.copyOf(profiles);
    injected = List.copyOf(injected);
  }

  /** Whether nothing is known. */
  public boolean isEmpty() {
    return profiles.isEmpty() && injected.isEmpty();
  }

  /**
   * A profile that is to be used.
   *
   * @param profile what was measured
   * @param only the names for which it is used; empty for all
   */
  public record Measured(Profile profile, Optional<NamePattern> only) {}
}
