package org.stage.parallel;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.stage.api.workload.Node.Collective;

/**
 * From one layout to another: which collectives, along which mesh axes.
 *
 * <table>
 * <caption>The collective for each change along one mesh axis</caption>
 * <tr><th>from \ to</th><th>replicate</th><th>shard(a)</th></tr>
 * <tr><td>replicate</td><td>nothing</td><td>slice, local</td></tr>
 * <tr><td>shard(a)</td><td>all-gather</td><td>nothing</td></tr>
 * <tr><td>shard(b)</td><td>all-gather</td><td>all-to-all</td></tr>
 * <tr><td>partial</td><td>all-reduce</td><td>reduce-scatter</td></tr>
 * </table>
 *
 * <p>Axes with the same change move together in one collective.
 */
final class Resharding {
  private Resharding() {}

  /**
   * One change of layout.
   *
   * @param kind the collective, or null where each device cuts out its own part
   * @param axes mesh axes that change, ascending
   * @param to the layout afterwards
   */
  record Move(Collective.@Nullable Kind kind, List<Integer> axes, Layout to) {}

  /** The moves in order: those that shrink the tensor first, gathers last. */
  static List<Move> moves(DeviceMesh mesh, Layout from, Layout to) {
    List<Move> moves = new ArrayList<>();
    Layout now = from;
    for (Change change : Change.values()) {
      for (int m = 0; m < mesh.axes().size(); m++) {
        if (Change.of(now.at(m), to.at(m)) != change || change == Change.NONE) {
          continue;
        }
        List<Integer> together = new ArrayList<>();
        Layout next = now;
        for (int other = m; other < mesh.axes().size(); other++) {
          boolean same = now.at(other).equals(now.at(m)) && to.at(other).equals(to.at(m));
          if (same) {
            together.add(other);
            next = next.with(other, to.at(other));
          }
        }
        moves.add(new Move(change.kind, together, next));
        now = next;
      }
    }
    return moves;
  }

  private enum Change {
    SLICE(null),
    REDUCE_SCATTER(Collective.Kind.REDUCE_SCATTER),
    ALL_TO_ALL(Collective.Kind.ALL_TO_ALL),
    ALL_REDUCE(Collective.Kind.ALL_REDUCE),
    ALL_GATHER(Collective.Kind.ALL_GATHER),
    NONE(null);

    private final Collective.@Nullable Kind kind;

    Change(Collective.@Nullable Kind kind) {
      this.kind = kind;
    }

    static Change of(Placement from, Placement to) {
      if (from.equals(to)) {
        return NONE;
      }
      if (to instanceof Placement.Partial) {
        throw new IllegalArgumentException("nothing turns " + from + " into " + to);
      }
      boolean shards = to instanceof Placement.Shard;
      if (from instanceof Placement.Partial) {
        return shards ? REDUCE_SCATTER : ALL_REDUCE;
      }
      if (from instanceof Placement.Shard) {
        return shards ? ALL_TO_ALL : ALL_GATHER;
      }
      return SLICE;
    }
  }
}
