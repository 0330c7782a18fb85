package org.stage.parallel;

import java.util.ArrayList;
import java.util.List;
import org.stage.api.symbol.Expr;

/**
 * Where a tensor lies: one placement for each axis of the device mesh.
 *
 * @param placements aligned with {@link DeviceMesh#axes()}
 */
public record Layout(List<Placement> placements) {
  /** Copies the list. */
  public Layout {
    placements = List.copyOf(placements);
  }

  /** The layout of a tensor whose dimensions stand on {@code axes}, by the rules. */
  static Layout of(DeviceMesh mesh, ShardingRules rules, List<String> axes) {
    List<Placement> placements = new ArrayList<>();
    for (int m = 0; m < mesh.axes().size(); m++) {
      Placement placement = Placement.REPLICATE;
      for (int d = 0; d < axes.size(); d++) {
        if (rules.shards(m, axes.get(d))) {
          placement = new Placement.Shard(d);
        }
      }
      placements.add(placement);
    }
    return new Layout(placements);
  }

  Placement at(int meshAxis) {
    return placements.get(meshAxis);
  }

  /** Whether the devices along {@code meshAxis} hold summands. */
  boolean isPartialSum(int meshAxis) {
    return at(meshAxis) instanceof Placement.Partial partial && !partial.maximum();
  }

  /** Along how many mesh axes the devices hold parts that are still to be joined. */
  int partialAxes() {
    return (int) placements.stream().filter(Placement.Partial.class::isInstance).count();
  }

  Layout with(int meshAxis, Placement placement) {
    List<Placement> changed = new ArrayList<>(placements);
    changed.set(meshAxis, placement);
    return new Layout(changed);
  }

  /** Elements on one device of a tensor of {@code whole} elements. */
  Expr local(DeviceMesh mesh, Expr whole) {
    Expr local = whole;
    for (int m = 0; m < placements.size(); m++) {
      if (at(m) instanceof Placement.Shard) {
        local = local.over(mesh.axes().get(m).degree());
      }
    }
    return local;
  }
}
