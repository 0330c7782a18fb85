package org.stage.calibrate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.stage.api.profile.MeasuredOperator;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.profile.Profile;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Phase;

/** The computations of a profile in order of time, step by step. */
final class RunOrder {
  private RunOrder() {}

  /**
   * One run.
   *
   * @param operator what ran
   * @param startNs when it began
   * @param ns how long it took
   */
  record Run(MeasuredOperator operator, long startNs, double ns) {}

  /**
   * A run, or several that are one to the job.
   *
   * @param kind what it is
   * @param shape its products; {@link MatrixShape#NONE} if it has none, or they are not known
   * @param runs what was measured, in order of time
   */
  record Item(Kind kind, MatrixShape shape, List<Run> runs) {
    static Item of(Run run) {
      return new Item(run.operator().kind(), run.operator().shape().matrix(), List.of(run));
    }

    MeasuredOperator operator() {
      return runs.get(0).operator();
    }

    double ns() {
      return runs.stream().mapToDouble(Run::ns).sum();
    }

    boolean isProduct() {
      return kind == Kind.GEMM || kind == Kind.ATTENTION;
    }
  }

  /**
   * The computations of a pass in each step that counts; none where the profile does not tell in
   * which order they ran.
   *
   * @param backward whether of the backward pass
   */
  static List<List<Item>> of(Profile profile, boolean backward) {
    Window window = Window.of(profile);
    boolean phases =
        profile.operators().stream()
            .anyMatch(each -> each.phase().filter(Phase.BACKWARD::equals).isPresent());
    Map<Integer, List<Run>> steps = new TreeMap<>();
    for (MeasuredOperator operator : profile.operators()) {
      if (!operator.kind().isCommunication() && isOf(operator.phase(), backward, phases)) {
        // what runs again in backward is a forward pass of its own
        int again = operator.phase().filter(Phase.RECOMPUTE::equals).isPresent() ? 1 : 0;
        window
            .indices(operator.runs())
            .forEach(
                i ->
                    steps
                        .computeIfAbsent(
                            2 * (window.marked() ? operator.runs().step(i) : 0) + again,
                            step -> new ArrayList<>())
                        .add(
                            new Run(
                                operator,
                                operator.runs().startNs(i),
                                (double) operator.runs().durationNs(i))));
      }
    }
    List<List<Item>> all = new ArrayList<>();
    for (List<Run> step : steps.values()) {
      if (step.stream().mapToLong(Run::startNs).distinct().count() > step.size() / 2) {
        step.sort(Comparator.comparingLong(Run::startNs));
        all.add(new ArrayList<>(step.stream().map(Item::of).toList()));
      }
    }
    return all;
  }

  /** What has no phase is of the forward pass, in a profile of nothing else. */
  private static boolean isOf(Optional<Phase> phase, boolean backward, boolean phases) {
    if (phase.isEmpty()) {
      return !backward && !phases;
    }
    return switch (phase.get()) {
      case FORWARD, RECOMPUTE -> !backward;
      case BACKWARD -> backward;
      default -> false;
    };
  }

  /**
   * Puts attention together that ran as single products: those of equal heads that follow each
   * other, with all that stands between them.
   *
   * @param attention what the job has
   */
  static void join(List<Item> items, PassOrder.PassNode attention) {
    MatrixShape shape = attention.work().size().shape();
    int products = attention.work().backward() ? 4 : 2;
    for (int i = 0; i < items.size(); i++) {
      if (isPart(items.get(i), shape)) {
        int last = last(items, i, shape, products);
        if (last > i) {
          List<Run> runs =
              items.subList(i, last + 1).stream().flatMap(each -> each.runs().stream()).toList();
          items.subList(i, last + 1).clear();
          items.add(i, new Item(Kind.ATTENTION, shape, runs));
        }
      }
    }
  }

  /** The last of {@code products} of the same attention; the first where there are fewer. */
  private static int last(List<Item> items, int first, MatrixShape shape, int products) {
    int found = 1;
    for (int i = first + 1; i < items.size(); i++) {
      if (isPart(items.get(i), shape)) {
        found++;
        if (found == products) {
          return i;
        }
      } else if (items.get(i).isProduct()) {
        return first;
      }
    }
    return first;
  }

  /** Queries by keys or scores by values, or one of their gradients. */
  private static boolean isPart(Item item, MatrixShape of) {
    MatrixShape is = item.shape();
    if (item.kind() != Kind.GEMM || is.batch() != of.batch() || of.batch() < 2) {
      return false;
    }
    long[] sizes = {is.m(), is.n(), is.k()};
    long[] scores = {of.m(), of.n(), of.k()};
    long[] values = {of.m(), of.n(), of.values()};
    Arrays.sort(sizes);
    Arrays.sort(scores);
    Arrays.sort(values);
    return Arrays.equals(sizes, scores) || Arrays.equals(sizes, values);
  }
}
