package org.stage.calibrate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.plan.Instruction;
import org.stage.plan.JobPlan;
import org.stage.plan.StepPlan;
import org.stage.plan.UnitPlan;
import org.stage.state.Work.Kernel;

/**
 * The kernels of a pass in the order in which the job's devices run them: products and attention,
 * which a profile shows by their shapes and which serve as marks, and what stands between two
 * marks.
 *
 * <p>Modules that share a plan stand once. Their last mark is followed by the first of each module
 * that comes behind one of them anywhere in the job, so that a profile of more or fewer layers or
 * micro-batches runs through the same order. Products with nothing between them are a group: in
 * which order they run does not matter.
 */
final class PassOrder {
  /** No mark: the beginning of a pass, or its end. */
  static final int NONE = -1;

  private final List<PassNode> nodes = new ArrayList<>();
  private final List<Integer> marks = new ArrayList<>();
  private final List<Group> groups = new ArrayList<>();
  private final List<Group> groupOf = new ArrayList<>();
  private final Map<Way, List<Integer>> between = new LinkedHashMap<>();
  private final Map<Integer, List<Integer>> before = new HashMap<>();
  private final IdentityHashMap<UnitPlan, Segment> segments = new IdentityHashMap<>();

  /**
   * A kernel of a module.
   *
   * @param plan the module
   * @param work what it is
   * @param kernel its operands
   */
  record PassNode(UnitPlan plan, ProfileWork work, Kernel kernel) {
    /** Whether what it adds is smaller than what it adds to: a bias, which products add too. */
    boolean isBias() {
      long most = kernel.inputs().stream().mapToLong(each -> each.elements()).max().orElse(0);
      return !work.size().hasProducts()
          && work.kind() == Kind.ELEMENTWISE
          && kernel.inputs().size() == 2
          && kernel.outputs().size() == 1
          && kernel.outputs().get(0).elements() == most
          && kernel.inputs().stream().anyMatch(each -> each.elements() * 2 <= most);
    }
  }

  /** From one mark to the next, either of which may be {@link #NONE}. */
  private record Way(int from, int to) {}

  /**
   * Marks with nothing between them.
   *
   * @param first the first of them
   * @param end the first that follows them in the module
   */
  record Group(int first, int end) {}

  /**
   * A module.
   *
   * @param first its first mark
   * @param end the mark behind its last
   * @param leading nodes before the first mark; all, where it has none
   * @param trailing nodes behind the last
   */
  private record Segment(int first, int end, List<Integer> leading, List<Integer> trailing) {
    boolean isEmpty() {
      return first == end;
    }
  }

  private PassOrder() {}

  /**
   * That of a job.
   *
   * @param backward whether of its backward pass
   */
  static PassOrder of(JobPlan job, boolean backward) {
    PassOrder order = new PassOrder();
    for (StepPlan stage : job.stepPlans()) {
      for (StepPlan.Chunk chunk : stage.chunks()) {
        List<UnitPlan> plans = new ArrayList<>();
        for (StepPlan.Unit unit : chunk.units()) {
          plans.add(backward ? 0 : plans.size(), unit.plan());
        }
        plans.forEach(
            plan -> order.segments.computeIfAbsent(plan, p -> order.segment(job, p, backward)));
        order.link(plans);
      }
    }
    return order;
  }

  private Segment segment(JobPlan job, UnitPlan plan, boolean backward) {
    List<Instruction> program =
        backward ? plan.backward().instructions() : plan.forward().instructions();
    int first = marks.size();
    List<Integer> leading = new ArrayList<>();
    List<Integer> gap = leading;
    for (Instruction instruction : program) {
      if (instruction.work() instanceof Kernel kernel) {
        Optional<ProfileWork> work = ActionWork.of(job, plan, instruction, 1);
        nodes.add(new PassNode(plan, work.orElseThrow(), kernel));
        int node = nodes.size() - 1;
        if (isMark(work.get())) {
          mark(node, first, gap);
          gap = new ArrayList<>();
        } else {
          gap.add(node);
        }
      }
    }
    return new Segment(first, marks.size(), leading, marks.size() == first ? List.of() : gap);
  }

  private void mark(int node, int firstOfSegment, List<Integer> gap) {
    int mark = marks.size();
    marks.add(node);
    Kind kind = nodes.get(node).work().kind();
    boolean joins = mark > firstOfSegment && gap.isEmpty() && mark(mark - 1).work().kind() == kind;
    int from = joins ? groups.remove(groups.size() - 1).first() : mark;
    Group group = new Group(from, mark + 1);
    groups.add(group);
    while (groupOf.size() > from) {
      groupOf.remove(groupOf.size() - 1);
    }
    while (groupOf.size() <= mark) {
      groupOf.add(group);
    }
    if (mark > firstOfSegment) {
      between.put(new Way(mark - 1, mark), gap);
    }
  }

  private static boolean isMark(ProfileWork work) {
    return work.size().hasProducts() && (work.kind() == Kind.GEMM || work.kind() == Kind.ATTENTION);
  }

  /** Joins modules that follow each other, the last and the first of the next micro-batch too. */
  private void link(List<UnitPlan> plans) {
    for (int i = 0; i < plans.size(); i++) {
      Segment segment = segment(plans.get(i));
      if (!segment.isEmpty()) {
        follow(segment, plans, i);
      }
    }
    List<Integer> open = new ArrayList<>();
    for (UnitPlan plan : plans) {
      Segment segment = segment(plan);
      open.addAll(segment.leading());
      if (!segment.isEmpty()) {
        before.putIfAbsent(segment.first(), List.copyOf(open));
        break;
      }
    }
  }

  private Segment segment(UnitPlan plan) {
    return Objects.requireNonNull(segments.get(plan));
  }

  private void follow(Segment from, List<UnitPlan> plans, int at) {
    List<Integer> gap = new ArrayList<>(from.trailing());
    for (int step = 1; step <= plans.size(); step++) {
      if (at + step == plans.size()) {
        between.putIfAbsent(new Way(from.end() - 1, NONE), List.copyOf(gap));
      }
      Segment next = segment(plans.get((at + step) % plans.size()));
      gap.addAll(next.leading());
      if (!next.isEmpty()) {
        between.putIfAbsent(new Way(from.end() - 1, next.first()), List.copyOf(gap));
        return;
      }
    }
  }

  List<PassNode> nodes() {
    return nodes;
  }

  /** How many marks there are. */
  int marks() {
    return marks.size();
  }

  /** The node of a mark. */
  PassNode mark(int mark) {
    return nodes.get(marks.get(mark));
  }

  /** The index of the node of a mark. */
  int nodeOf(int mark) {
    return marks.get(mark);
  }

  List<Group> groups() {
    return groups;
  }

  /** The group of a mark. */
  Group group(int mark) {
    return groupOf.get(mark);
  }

  /** The marks that stand before {@code mark}, and {@link #NONE}, which stands before all. */
  List<Integer> preceding(int mark) {
    List<Integer> all = new ArrayList<>();
    between.keySet().stream().filter(way -> way.to() == mark).map(Way::from).forEach(all::add);
    all.add(NONE);
    return all;
  }

  /** Whether {@code to} is the next mark behind {@code from}. */
  boolean isNext(int from, int to) {
    return from == NONE || between.containsKey(new Way(from, to));
  }

  /**
   * The nodes between two marks of which one follows the other; at either end of a pass what the
   * module of the mark has there.
   */
  List<Integer> between(int from, int to) {
    List<Integer> known = between.get(new Way(from, to));
    if (known != null) {
      return known;
    }
    int mark = from == NONE ? to : from;
    Segment own = segment(mark(mark).plan());
    if (from == NONE) {
      return before.getOrDefault(to, to == own.first() ? own.leading() : List.of());
    }
    return from == own.end() - 1 ? own.trailing() : List.of();
  }

  /** The nodes between two marks of one module that do not follow each other at once. */
  List<Integer> within(int from, int to) {
    List<Integer> all = new ArrayList<>();
    if (from != NONE && to != NONE && firstOf(from) == firstOf(to)) {
      for (int mark = from; mark < to; mark++) {
        all.addAll(between(mark, mark + 1));
      }
    }
    return all;
  }

  /** The first mark of a mark's module. */
  private int firstOf(int mark) {
    return segment(mark(mark).plan()).first();
  }

  /** What stands behind the group of a mark inside of its module. */
  List<Integer> behind(int mark) {
    int last = group(mark).end() - 1;
    Segment own = segment(mark(mark).plan());
    return last == own.end() - 1 ? own.trailing() : between(last, last + 1);
  }
}
