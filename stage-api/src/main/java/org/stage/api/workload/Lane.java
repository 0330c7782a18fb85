package org.stage.api.workload;

import java.util.stream.Collectors;

/**
 * A communicator, as a rank sees it: what it issues on one lane is done in the order of issue, the
 * same order on all members; what is on two lanes is ordered by dependencies alone. Engines with
 * one slot for communication take the lanes in the {@link ExecutionGraph#commOrder() total order},
 * which keeps the order of each.
 *
 * @param name tells it from the other lanes of a rank
 */
public record Lane(String name) {
  /**
   * The lane of the collectives of a group: {@code tp:8}, {@code dp:4+cp:2}, {@code tp:(2)4} for a
   * part of an axis, <code>pp{0,7}</code> for given coordinates.
   */
  public static Lane of(Group group) {
    if (group instanceof Group.Members some) {
      return new Lane(
          some.axis()
              + some.coordinates().stream()
                  .map(String::valueOf)
                  .collect(Collectors.joining(",", "{", "}")));
    }
    return new Lane(
        ((Group.Along) group)
            .axes().stream()
                .map(
                    part ->
                        part.axis()
                            + (part.pre() == 1 ? ":" : ":(" + part.pre() + ")")
                            + part.size())
                .collect(Collectors.joining("+")));
  }

  /** The lane of the messages to and from a peer: {@code pp:+1}. */
  public static Lane of(Peer peer) {
    return new Lane(peer.text());
  }

  /** The name. */
  @Override
  public String toString() {
    return name;
  }
}
