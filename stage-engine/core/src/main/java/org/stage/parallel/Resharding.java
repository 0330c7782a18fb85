package org.stage.parallel;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.stage.api.workload.Node.Collective;

/**
 * From one layout to another: which collectives, along which mesh axes, in which order.
 *
 * <p>The mesh axes of each dimension are a stack, the innermost on top. What a collective does to
 * equal parts of a dimension is a push or a pop: a slice or a reduce-scatter pushes an axis, an
 * all-gather pops it, an all-to-all pops it from one dimension and pushes it on another. (To gather
 * along an axis under others would leave a device with parts that are not next to each other.) The
 * axes that a dimension has in both layouts from the bottom on stay. Of the rest,
 *
 * <ul>
 *   <li>one that is wanted on another dimension moves there by all-to-all;
 *   <li>one that is wanted nowhere, or on the same dimension at another place, is gathered;
 *   <li>one that is wanted and at hand nowhere is sliced;
 *   <li>one with summands is reduce-scattered where it is wanted, else all-reduced; maxima are
 *       all-reduced, then sliced.
 * </ul>
 *
 * <p>What shrinks the tensor comes first, gathers last, as far as the stacks allow. Where each
 * all-to-all waits for another, one of them is made of a gather and a slice. Axes next to each
 * other with the same change move in one collective.
 */
final class Resharding {
  private final Layout to;
  private final List<Move> moves = new ArrayList<>();
  private Layout now;

  private Resharding(Layout from, Layout to) {
    this.now = from;
    this.to = to;
  }

  /**
   * One change of layout.
   *
   * @param kind the collective, or null where each device cuts out its own part
   * @param axes mesh axes that change: in the order of the dimension that gains them, else of the
   *     one that loses them; of reductions ascending
   * @param to the layout afterwards
   */
  record Move(Collective.@Nullable Kind kind, List<Integer> axes, Layout to) {}

  /**
   * The moves in order.
   *
   * @throws IllegalArgumentException if {@code to} is partial where {@code from} is not, or they
   *     differ in dimensions
   */
  static List<Move> moves(Layout from, Layout to) {
    boolean gains = !from.sums().containsAll(to.sums()) || !from.maxima().containsAll(to.maxima());
    if (gains || from.shards().size() != to.shards().size()) {
      throw new IllegalArgumentException("nothing turns " + from + " into " + to);
    }
    Resharding resharding = new Resharding(from, to);
    while (!resharding.now.equals(to)) {
      resharding.round();
    }
    return resharding.moves;
  }

  /** Does what can be done. After it, some stack is shorter or nearer to what is wanted. */
  private void round() {
    int before = moves.size();
    push(null, this::isWhole);
    push(Collective.Kind.REDUCE_SCATTER, axis -> now.sums().contains(axis));
    allToAll();
    allReduce();
    push(null, this::isWhole);
    for (int d = 0; d < to.shards().size(); d++) {
      int dimension = d;
      pop(d, axis -> !to.isSharded(axis) || to.shards().get(dimension).contains(axis));
    }
    for (int d = 0; moves.size() == before; d++) {
      List<Integer> rest = surplus(d);
      pop(d, axis -> axis == rest.get(rest.size() - 1));
    }
  }

  /** Whether the devices along a mesh axis all have the same. */
  private boolean isWhole(int axis) {
    return !now.isSharded(axis) && !now.sums().contains(axis) && !now.maxima().contains(axis);
  }

  /** Slices or reduce-scatters dimensions along the next axes that they lack. */
  private void push(Collective.@Nullable Kind kind, IntPredicate which) {
    for (int d = 0; d < to.shards().size(); d++) {
      List<Integer> run = new ArrayList<>();
      for (int axis : missing(d)) {
        if (!which.test(axis)) {
          break;
        }
        run.add(axis);
      }
      add(kind, run, now.reduced(run).with(d, ShardingRules.join(now.shards().get(d), run)));
    }
  }

  /** Gathers a dimension along the innermost of the axes that it has to lose. */
  private void pop(int d, IntPredicate which) {
    List<Integer> all = now.shards().get(d);
    int end = all.size();
    while (end > all.size() - surplus(d).size() && which.test(all.get(end - 1))) {
      end--;
    }
    List<Integer> run = all.subList(end, all.size());
    add(Collective.Kind.ALL_GATHER, run, now.with(d, all.subList(0, end)));
  }

  /** Moves the innermost axes of a dimension to another that wants just these next. */
  private void allToAll() {
    for (int d = 0; d < to.shards().size(); d++) {
      for (int e = 0; e < to.shards().size(); e++) {
        List<Integer> all = now.shards().get(d);
        List<Integer> run = missing(e);
        run = run.subList(0, Math.min(surplus(d).size(), run.size()));
        List<Integer> inner = all.subList(all.size() - run.size(), all.size());
        while (!Set.copyOf(run).equals(Set.copyOf(inner))) {
          run = run.subList(0, run.size() - 1);
          inner = inner.subList(1, inner.size());
        }
        Layout next = now.with(d, all.subList(0, all.size() - run.size()));
        next = next.with(e, ShardingRules.join(now.shards().get(e), run));
        add(Collective.Kind.ALL_TO_ALL, run, next);
      }
    }
  }

  private void allReduce() {
    List<Integer> sums = new ArrayList<>(now.sums());
    sums.removeIf(axis -> to.sums().contains(axis) || to.isSharded(axis));
    add(Collective.Kind.ALL_REDUCE, sums, now.reduced(sums));
    TreeSet<Integer> maxima = new TreeSet<>(now.maxima());
    maxima.removeAll(to.maxima());
    add(Collective.Kind.ALL_REDUCE, List.copyOf(maxima), now.reduced(maxima));
  }

  private void add(Collective.@Nullable Kind kind, List<Integer> axes, Layout next) {
    if (!axes.isEmpty()) {
      moves.add(new Move(kind, List.copyOf(axes), next));
      now = next;
    }
  }

  /** The axes that a dimension has to lose: those after the ones that stay. */
  private List<Integer> surplus(int d) {
    List<Integer> has = now.shards().get(d);
    return has.subList(kept(d), has.size());
  }

  /** The axes that a dimension is to gain, as soon as it has nothing to lose. */
  private List<Integer> missing(int d) {
    List<Integer> wanted = to.shards().get(d);
    return surplus(d).isEmpty() ? wanted.subList(kept(d), wanted.size()) : List.of();
  }

  /** How many axes, from the outermost on, a dimension has and keeps. */
  private int kept(int d) {
    List<Integer> has = now.shards().get(d);
    List<Integer> wanted = to.shards().get(d);
    int kept = 0;
    while (kept < Math.min(has.size(), wanted.size()) && has.get(kept).equals(wanted.get(kept))) {
      kept++;
    }
    return kept;
  }
}
