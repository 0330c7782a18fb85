package org.stage.parallel;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.stage.api.graph.AxisRole;
import org.stage.api.symbol.Expr;

/**
 * Where a tensor lies on the device mesh. Mesh axes are indices into {@link DeviceMesh#axes()};
 * along those that are not named, each device has the same.
 *
 * <p>Parts of a dimension nest: the first of its axes cuts the dimension into as many equal parts
 * as it has devices, the next cuts each of these, and so on. So {@code [a, b]} and {@code [b, a]}
 * give the same device different parts.
 *
 * @param shards for each dimension the mesh axes that cut it, outermost first
 * @param sums mesh axes along which each device holds a summand of the tensor (GSPMD, arXiv
 *     2105.04663, section 3.1)
 * @param maxima mesh axes along which the tensor is the maximum of what the devices hold
 */
public record Layout(List<List<Integer>> shards, Set<Integer> sums, Set<Integer> maxima) {
  /**
   * Copies lists and sets; these ascend.
   *
   * @throws IllegalArgumentException if a mesh axis stands twice, or if there are sums and maxima:
   *     a maximum of summands is none
   */
  public Layout {
    List<Integer> all =
        Stream.concat(shards.stream(), Stream.of(sums, maxima))
            .flatMap(Collection::stream)
            .toList();
    if (all.stream().distinct().count() < all.size()) {
      throw new IllegalArgumentException("a mesh axis stands twice in " + all);
    }
    if (!sums.isEmpty() && !maxima.isEmpty()) {
      throw new IllegalArgumentException("sums along " + sums + ", maxima along " + maxima);
    }
    shards = shards.stream().map(List::copyOf).toList();
    sums = Collections.unmodifiableSet(new TreeSet<>(sums));
    maxima = Collections.unmodifiableSet(new TreeSet<>(maxima));
  }

  /** The layout of a tensor whose dimensions stand on {@code axes}, by the rules. */
  static Layout of(ShardingRules rules, List<String> axes) {
    return new Layout(axes.stream().map(rules::of).toList(), Set.of(), Set.of());
  }

  /** The layout of a tensor whose dimensions have these roles, by the rules. */
  static Layout ofRoles(ShardingRules rules, List<AxisRole> roles) {
    return new Layout(roles.stream().map(rules::of).toList(), Set.of(), Set.of());
  }

  /** Whether {@code meshAxis} cuts one of the dimensions. */
  boolean isSharded(int meshAxis) {
    return dimension(meshAxis) >= 0;
  }

  /** Along how many mesh axes the devices hold parts that are still to be joined. */
  int partialAxes() {
    return sums.size() + maxima.size();
  }

  /** The same with another list for one dimension. */
  Layout with(int dimension, List<Integer> meshAxes) {
    List<List<Integer>> changed = new ArrayList<>(shards);
    changed.set(dimension, meshAxes);
    return new Layout(changed, sums, maxima);
  }

  /** The same, but summands along some mesh axes, which cut no dimension then. */
  Layout summing(Collection<Integer> meshAxes) {
    List<List<Integer>> changed = new ArrayList<>();
    for (List<Integer> dimension : shards) {
      changed.add(dimension.stream().filter(m -> !meshAxes.contains(m)).toList());
    }
    Set<Integer> more = new TreeSet<>(sums);
    more.addAll(meshAxes);
    return new Layout(changed, more, maxima);
  }

  /** The same after summands and maxima along some mesh axes were joined. */
  Layout reduced(Collection<Integer> meshAxes) {
    return new Layout(shards, without(sums, meshAxes), without(maxima, meshAxes));
  }

  private static Set<Integer> without(Set<Integer> all, Collection<Integer> some) {
    Set<Integer> rest = new TreeSet<>(all);
    rest.removeAll(some);
    return rest;
  }

  /** Dimensions on one device of a tensor whose dimensions are {@code whole}. */
  List<Expr> local(DeviceMesh mesh, List<Expr> whole) {
    List<Expr> local = new ArrayList<>();
    for (int d = 0; d < whole.size(); d++) {
      Expr size = whole.get(d);
      for (int meshAxis : shards.get(d)) {
        size = size.over(mesh.axes().get(meshAxis).degree());
      }
      local.add(size);
    }
    return local;
  }

  /** The dimension that {@code meshAxis} cuts; -1 if it cuts none. */
  int dimension(int meshAxis) {
    for (int d = 0; d < shards.size(); d++) {
      if (shards.get(d).contains(meshAxis)) {
        return d;
      }
    }
    return -1;
  }

  /** Elements on one device of a tensor of {@code whole} elements. */
  Expr local(DeviceMesh mesh, Expr whole) {
    Expr local = whole;
    for (List<Integer> dimension : shards) {
      for (int meshAxis : dimension) {
        local = local.over(mesh.axes().get(meshAxis).degree());
      }
    }
    return local;
  }
}
