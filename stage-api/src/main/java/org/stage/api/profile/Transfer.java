package org.stage.api.profile;

import java.util.List;
import java.util.Objects;

/**
 * What a collective, a transfer between ranks or a copy moves.
 *
 * @param bytes of communication this rank's input (of an all-gather its shard), of a copy what is
 *     copied; 0 if the profile does not say
 * @param groupSize ranks that take part; 0 if the profile does not say, 1 of a copy
 * @param group the profile's name for the group; may be empty
 * @param members the ranks of the group in its order; empty if the profile does not say
 */
public record Transfer(long bytes, int groupSize, String group, List<Integer> members) {
  /** Work that moves nothing between ranks, or of which nothing is known. */
  public static final Transfer NONE = new Transfer(0, 0, "", List.of());

  /**
   * Copies the list.
   *
   * @throws IllegalArgumentException if a number is negative
   */
  public Transfer {
    Objects.requireNonNull(group);
    members = List.copyOf(members);
    if (bytes < 0 || groupSize < 0) {
      throw new IllegalArgumentException(bytes + " bytes in a group of " + groupSize);
    }
  }

  /** A copy on one device, or between it and the host. */
  public static Transfer ofCopy(long bytes) {
    return new Transfer(bytes, 1, "", List.of());
  }
}
