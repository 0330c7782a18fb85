package org.stage.calibrate;

import java.util.Optional;

/**
 * How long a piece of work takes, and how that is known.
 *
 * @param level how
 * @param ns nanoseconds; 0 if it is not known
 * @param reference the sample that it was taken or scaled from, if it was one; of what is not known
 *     the nearest of its class, if there is one, which is too far to tell its time
 */
record Match(Level level, double ns, Optional<Sample> reference) {
  static final Match NONE = new Match(Level.ANALYTIC, 0, Optional.empty());

  boolean isKnown() {
    return level.isKnown();
  }

  /** Whether its class was measured, but only at sizes that are too far from it. */
  boolean isBeyond() {
    return !isKnown() && reference.isPresent();
  }
}
