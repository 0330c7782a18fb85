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
  private static final List<Change> ORDER =
      List.of(
          Change.SLICE,
          Change.REDUCE_SCATTER,
          Change.ALL_TO_ALL,
          Change.ALL_REDUCE,
          Change.SLICE,
          Change.ALL_GATHER);

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
    for (int pass = 0; pass < ORDER.size(); pass++) {
      Change change = ORDER.get(pass);
      for (int m = 0; m < mesh.axes().size(); m++) {
        boolean waits = pass == 0 && waits(now, to, m);
        if (Change.of(now.at(m), to.at(m)) != change || waits) {
          continue;
        }
        List<Integer> together = new ArrayList<>();
        Layout next = now;
        for (int other = m; other < mesh.axes().size(); other++) {
          boolean same = now.at(other).equals(now.at(m)) && to.at(other).equals(to.at(m));
          if (same && !(pass == 0 && waits(now, to, other))) {
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

  /**
   * Whether an outer mesh axis is still to shard the dimension that {@code m} would slice: parts of
   * a dimension nest, so the outer ones are cut first.
   */
  private static boolean waits(Layout now, Layout to, int m) {
    for (int outer = 0; outer < m; outer++) {
      boolean pending = !now.at(outer).equals(to.at(outer));
      boolean slice = Change.of(now.at(outer), to.at(outer)) == Change.SLICE;
      if (pending && !slice && to.at(outer).equals(to.at(m))) {
        return true;
      }
    }
    return false;
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
