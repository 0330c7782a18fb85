package org.stage.calibrate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.workload.MatrixShape;
import org.stage.calibrate.PassOrder.Group;
import org.stage.calibrate.RunOrder.Item;

/**
 * Which products of a profile are which of the job, by their shapes and their order.
 *
 * <p>The best way through the order of the job (Viterbi): each product of the profile is one of the
 * job's marks, or none of them. A mark that follows the one before counts most; a jump, which
 * leaves marks out or goes back, costs. A product whose shape is not known fits any, but counts
 * little. Marks of one group may come in any order, and one product may stand for a whole group,
 * where they read the same and their results lie side by side (queries, keys and values).
 */
final class Alignment {
  private static final double SAME = 1;
  private static final double UNKNOWN = 0.3;
  private static final double JUMP = 0.8;
  private static final double LEFT_OUT = 0.5;
  private static final double NEVER = -1e18;
  private static final int STAYS = -2;

  private final PassOrder order;
  private final int states;

  /** Marks whose shape stands somewhere among the items: only those have runs of unknown shape. */
  private final boolean[] shown;

  /**
   * A product of the profile as marks of the job.
   *
   * @param item which of the profile's
   * @param mark the last mark that it stands for
   * @param joined whether it stands for all of the mark's group
   */
  record Found(int item, int mark, boolean joined) {}

  private record Candidate(int mark, boolean joined, double score) {}

  private Alignment(PassOrder order) {
    this.order = order;
    this.states = order.marks() + 1;
    this.shown = new boolean[order.marks()];
  }

  /** What is found of {@code order} among {@code items}, in order of time. */
  static List<Found> of(PassOrder order, List<Item> items) {
    return new Alignment(order).find(items);
  }

  private List<Found> find(List<Item> items) {
    for (Item item : items) {
      for (int mark = 0; mark < order.marks(); mark++) {
        shown[mark] |= score(item, order.mark(mark).work()) == SAME;
      }
    }
    double[] best = new double[states];
    Arrays.fill(best, NEVER);
    best[order.marks()] = 0;
    List<Integer> seen = new ArrayList<>();
    List<int[]> from = new ArrayList<>();
    List<List<Candidate>> all = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      List<Candidate> candidates =
          items.get(i).isProduct() ? candidates(items.get(i)) : List.<Candidate>of();
      if (!candidates.isEmpty()) {
        int[] back = new int[states];
        best = step(best, candidates, back);
        seen.add(i);
        from.add(back);
        all.add(candidates);
      }
    }
    return back(best, seen, from, all);
  }

  private double[] step(double[] best, List<Candidate> candidates, int[] back) {
    int top = 0;
    double[] next = new double[states];
    for (int s = 0; s < states; s++) {
      top = best[s] > best[top] ? s : top;
      next[s] = best[s] - LEFT_OUT;
    }
    Arrays.fill(back, STAYS);
    for (Candidate each : candidates) {
      int t = each.mark();
      int enters = each.joined() ? order.group(t).first() : t;
      double value = best[top] - JUMP;
      int before = top;
      for (int p : order.preceding(enters)) {
        int state = p == PassOrder.NONE ? order.marks() : p;
        if (best[state] > NEVER / 2 && best[state] >= value) {
          value = best[state];
          before = state;
        }
      }
      if (value + each.score() > next[t]) {
        next[t] = value + each.score();
        back[t] = before;
      }
    }
    return next;
  }

  private List<Found> back(
      double[] best, List<Integer> seen, List<int[]> from, List<List<Candidate>> all) {
    int state = 0;
    for (int s = 0; s < states; s++) {
      state = best[s] > best[state] ? s : state;
    }
    List<Found> found = new ArrayList<>();
    for (int i = seen.size() - 1; i >= 0; i--) {
      int before = from.get(i)[state];
      if (before != STAYS) {
        int mark = state;
        boolean single =
            all.get(i).stream().anyMatch(each -> each.mark() == mark && !each.joined());
        found.add(0, new Found(seen.get(i), mark, !single));
        state = before;
      }
    }
    return found;
  }

  private List<Candidate> candidates(Item item) {
    List<Candidate> candidates = new ArrayList<>();
    for (Group group : order.groups()) {
      double score = 0;
      for (int mark = group.first(); mark < group.end(); mark++) {
        double own = score(item, order.mark(mark).work());
        score = Math.max(score, own < SAME && !shown[mark] ? 0 : own);
      }
      for (int mark = group.first(); mark < group.end() && score > 0; mark++) {
        candidates.add(new Candidate(mark, false, score));
      }
      if (score == 0 && isWhole(item, group)) {
        candidates.add(new Candidate(group.end() - 1, true, group.end() - group.first()));
      }
    }
    return candidates;
  }

  private static double score(Item item, ProfileWork work) {
    MatrixShape is = item.shape();
    MatrixShape of = work.size().shape();
    if (item.kind() != work.kind()) {
      return 0;
    }
    if (is.equals(MatrixShape.NONE)) {
      return item.kind() == Kind.ATTENTION ? SAME : UNKNOWN;
    }
    MatrixShape swapped = new MatrixShape(of.batch(), of.n(), of.m(), of.k());
    return is.equals(of) || (item.kind() == Kind.GEMM && is.equals(swapped)) ? SAME : 0;
  }

  /** Whether a product makes at once what the marks of a group make one by one. */
  private boolean isWhole(Item item, Group group) {
    long n = 0;
    boolean all = true;
    for (int mark = group.first(); mark < group.end(); mark++) {
      all &= shown[mark];
      ProfileWork work = order.mark(mark).work();
      MatrixShape of = work.size().shape();
      MatrixShape is = item.shape();
      boolean alike = of.batch() == is.batch() && of.m() == is.m() && of.k() == is.k();
      if (work.kind() != Kind.GEMM || item.kind() != Kind.GEMM || !alike) {
        return false;
      }
      n += of.n();
    }
    // where each of them ran by itself, what is as wide as all is something else
    return !all && group.end() - group.first() > 1 && n == item.shape().n();
  }
}
