package org.stage.api.profile;

import java.util.Objects;

/**
 * What was in the file, and how much of it could be used: the sums to which operators can be held.
 *
 * @param contents what was read of the file
 * @param kernels kernels whose time can be used, communication among them
 * @param copies copies whose time can be used
 * @param fills fills of memory whose time can be used
 * @param launches from where those kernels were launched
 * @param rejected kernels, copies and fills without a time that can be used
 */
public record Coverage(
    Contents contents, Timed kernels, Timed copies, Timed fills, Launches launches, long rejected) {

  /**
   * What was read of a file.
   *
   * @param events complete events that were read, of all sorts
   * @param damaged events that were broken in the file; lost, or mended
   * @param truncated whether the file ends too early
   */
  public record Contents(long events, long damaged, boolean truncated) {}

  /**
   * Events of one sort whose time can be used.
   *
   * @param count how many
   * @param totalNs their durations together, nanoseconds; where they overlap, each counts
   */
  public record Timed(long count, long totalNs) {
    /** There are none. */
    public static final Timed NONE = new Timed(0, 0);
  }

  /**
   * From where kernels were launched; those that are neither owned nor orphans were launched
   * outside of any operator.
   *
   * @param owned kernels whose launch lies in an operator on the host
   * @param orphans kernels of whose launch there is no record
   */
  public record Launches(long owned, long orphans) {
    /** There are none. */
    public static final Launches NONE = new Launches(0, 0);
  }

  /** Checks that nothing is missing. */
  public Coverage {
    Objects.requireNonNull(contents);
    Objects.requireNonNull(kernels);
    Objects.requireNonNull(copies);
    Objects.requireNonNull(fills);
    Objects.requireNonNull(launches);
  }

  /** Of a profile that times nothing. */
  public static Coverage ofCalls(Contents contents) {
    return new Coverage(contents, Timed.NONE, Timed.NONE, Timed.NONE, Launches.NONE, 0);
  }
}
