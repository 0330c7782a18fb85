package org.stage.calibrate;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.stage.api.profile.MeasuredOperator;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.profile.Profile;
import org.stage.api.workload.MatrixShape;
import org.stage.calibrate.Alignment.Found;
import org.stage.calibrate.GapAssignment.Piece;
import org.stage.calibrate.GapAssignment.Way;
import org.stage.calibrate.PassOrder.Group;
import org.stage.calibrate.PassOrder.PassNode;
import org.stage.calibrate.RunOrder.Item;
import org.stage.calibrate.RunOrder.Run;
import org.stage.operator.OperatorRules;
import org.stage.plan.JobPlan;
import org.stage.plan.UnitPlan;

/**
 * Puts kernels together that are one node of the job: an eager norm, rotation or gated unit is
 * several kernels, whose names and sizes fit nothing. Products and attention are found in order by
 * {@link Alignment}; what ran between two of them is what the job has there ({@link
 * GapAssignment}), or, where it has nothing there, belongs to the first of the two: a copy of its
 * result, say. Over equal layers, micro-batches, steps and ranks a node takes the median.
 */
final class Assembly {
  private final OperatorRules operators;
  private final IdentityHashMap<UnitPlan, Map<String, Match>> own = new IdentityHashMap<>();
  private final IdentityHashMap<UnitPlan, Set<String>> divided = new IdentityHashMap<>();
  private final IdentityHashMap<UnitPlan, Map<String, Double>> more = new IdentityHashMap<>();
  private final IdentityHashMap<MeasuredOperator, Map<Way, Double>> used = new IdentityHashMap<>();
  private final List<Sample> samples = new ArrayList<>();

  private Assembly(OperatorRules operators) {
    this.operators = operators;
  }

  /** What profiles tell of the nodes of a job by their places. */
  static Assembly of(JobPlan job, List<Profile> profiles) {
    Assembly assembly = new Assembly(job.operators());
    for (boolean backward : new boolean[] {false, true}) {
      PassOrder order = PassOrder.of(job, backward);
      Pass pass = assembly.new Pass(order);
      for (Profile profile : profiles) {
        RunOrder.of(profile, backward).forEach(pass::add);
      }
      pass.finish();
    }
    return assembly;
  }

  /** How long a node takes by the kernels at its place, if that is known. */
  Optional<Match> find(UnitPlan plan, ProfileWork work) {
    return Optional.ofNullable(own.getOrDefault(plan, Map.of()).get(work.name()));
  }

  /** Whether a product was measured as a part of a wider one. */
  boolean isDivided(UnitPlan plan, ProfileWork work) {
    return divided.getOrDefault(plan, Set.of()).contains(work.name());
  }

  /** What a product takes besides its own kernel: copies of its result, nanoseconds. */
  double besides(UnitPlan plan, ProfileWork work) {
    return more.getOrDefault(plan, Map.of()).getOrDefault(work.name(), 0.0);
  }

  /** How much of what was measured of an operator is used, nanoseconds, by how that is known. */
  Map<Way, Double> used(MeasuredOperator operator) {
    return used.getOrDefault(operator, Map.of());
  }

  /** What was put together, as if it had run as one kernel. */
  List<Sample> samples() {
    return samples;
  }

  /** One pass of the job against all steps of all profiles. */
  private final class Pass {
    private final PassOrder order;
    private final Map<Integer, List<Double>> times = new TreeMap<>();
    private final Map<Integer, List<Double>> shares = new TreeMap<>();
    private final Map<Integer, Double> besides = new TreeMap<>();
    private final Map<Integer, Integer> visits = new HashMap<>();

    /** Nodes behind the group that runs, with what of them ran within it. */
    private final Map<Integer, Double> early = new LinkedHashMap<>();

    Pass(PassOrder order) {
      this.order = order;
    }

    void add(List<Item> items) {
      for (int mark = 0; mark < order.marks(); mark++) {
        if (order.mark(mark).work().kind() == Kind.ATTENTION) {
          RunOrder.join(items, order.mark(mark));
        }
      }
      List<Found> found = Alignment.of(order, items);
      long known = found.stream().filter(each -> isKnown(items.get(each.item()))).count();
      if (found.isEmpty() || 2 * known < found.size()) {
        return;
      }
      int before = PassOrder.NONE;
      int from = 0;
      for (Found each : found) {
        between(before, each, items.subList(from, each.item()));
        mark(each, items.get(each.item()));
        before = each.mark();
        from = each.item() + 1;
      }
      edge(before, PassOrder.NONE, items.subList(from, items.size()));
    }

    private static boolean isKnown(Item item) {
      return !item.shape().equals(MatrixShape.NONE);
    }

    private void between(int before, Found found, List<Item> items) {
      Group group = order.group(found.mark());
      int enters = found.joined() ? group.first() : found.mark();
      if (before == PassOrder.NONE) {
        edge(PassOrder.NONE, enters, items);
      } else if (!order.isNext(before, enters)) {
        early.clear();
        share(order.within(before, enters), items);
      } else if (order.group(before).equals(group) && before + 1 == enters) {
        inside(before, items);
      } else {
        gap(before, order.between(before, enters), items);
      }
    }

    /** Between products that have nothing between them in the job. */
    private void inside(int before, List<Item> items) {
      List<Integer> behind =
          order.behind(before).stream().filter(each -> !early.containsKey(each)).toList();
      List<Piece> pieces = new GapAssignment(operators, nodes(behind), items).known(true);
      Set<Integer> taken = new HashSet<>();
      for (Piece piece : pieces) {
        early.merge(behind.get(piece.node()), piece.ns(), Double::sum);
        use(items.get(piece.item()), piece.ns(), piece.way());
        taken.add(piece.item());
      }
      beside(before, items, taken);
    }

    private void beside(int mark, List<Item> items, Set<Integer> taken) {
      for (int i = 0; i < items.size(); i++) {
        if (!taken.contains(i) && !items.get(i).isProduct()) {
          besides.merge(order.nodeOf(mark), items.get(i).ns(), Double::sum);
          use(items.get(i), items.get(i).ns(), Way.PLACE);
        }
      }
    }

    private void gap(int before, List<Integer> nodes, List<Item> items) {
      Set<Integer> taken = new HashSet<>();
      for (int i = 0; i < nodes.size(); i++) {
        if (early.containsKey(nodes.get(i))) {
          taken.add(i);
        }
      }
      List<Piece> pieces = new GapAssignment(operators, nodes(nodes), items).all(taken, true);
      if (nodes.isEmpty()) {
        beside(before, items, Set.of());
      }
      Map<Integer, Double> sums = new LinkedHashMap<>(early);
      early.clear();
      boolean any = !pieces.isEmpty() || !sums.isEmpty();
      nodes.stream()
          .filter(node -> any || order.nodes().get(node).isBias())
          .forEach(node -> sums.putIfAbsent(node, 0.0));
      add(pieces, nodes, items, sums);
      sums.forEach((node, ns) -> times.computeIfAbsent(node, n -> new ArrayList<>()).add(ns));
    }

    /** At the beginning or the end of a pass, where more may run than the job has. */
    private void edge(int from, int to, List<Item> items) {
      List<Integer> nodes = order.between(from, to);
      Map<Integer, Double> sums = new LinkedHashMap<>(early);
      early.clear();
      List<Piece> pieces = new GapAssignment(operators, nodes(nodes), items).all(Set.of(), false);
      add(pieces, nodes, items, sums);
      sums.forEach((node, ns) -> times.computeIfAbsent(node, n -> new ArrayList<>()).add(ns));
    }

    private void add(
        List<Piece> pieces, List<Integer> nodes, List<Item> items, Map<Integer, Double> sums) {
      for (Piece piece : pieces) {
        sums.merge(nodes.get(piece.node()), piece.ns(), Double::sum);
        use(items.get(piece.item()), piece.ns(), piece.way());
      }
    }

    /** Where products are missing in between, the nodes in between share what ran. */
    private void share(List<Integer> nodes, List<Item> items) {
      Map<Integer, Double> sums = new LinkedHashMap<>();
      for (Piece piece : new GapAssignment(operators, nodes(nodes), items).all(Set.of(), true)) {
        sums.merge(nodes.get(piece.node()), piece.ns(), Double::sum);
        use(items.get(piece.item()), piece.ns(), Way.SHARE);
      }
      sums.forEach((node, ns) -> shares.computeIfAbsent(node, n -> new ArrayList<>()).add(ns));
    }

    private List<PassNode> nodes(List<Integer> indices) {
      return indices.stream().map(order.nodes()::get).toList();
    }

    private void mark(Found found, Item item) {
      Group group = order.group(found.mark());
      boolean named = !found.joined() && item.runs().size() == 1 && isKnown(item);
      double all = 0;
      for (int mark = group.first(); mark < group.end() && found.joined(); mark++) {
        all += width(mark);
      }
      for (int mark : found.joined() ? members(group) : List.of(found.mark())) {
        int node = order.nodeOf(mark);
        visits.merge(node, 1, Integer::sum);
        if (found.joined()) {
          divided
              .computeIfAbsent(order.mark(mark).plan(), plan -> new HashSet<>())
              .add(order.mark(mark).work().name());
        }
        if (!named && (isKnown(item) || item.kind() == Kind.ATTENTION)) {
          double part = found.joined() ? width(mark) / all : 1;
          times.computeIfAbsent(node, n -> new ArrayList<>()).add(item.ns() * part);
        }
      }
      use(item, item.ns(), named ? Way.NAME : Way.PLACE);
    }

    private double width(int mark) {
      return (double) order.mark(mark).work().size().shape().n();
    }

    private static List<Integer> members(Group group) {
      return IntStream.range(group.first(), group.end()).boxed().toList();
    }

    void finish() {
      shares.forEach(times::putIfAbsent);
      times.forEach(this::finish);
      besides.forEach(
          (node, ns) ->
              more.computeIfAbsent(order.nodes().get(node).plan(), plan -> new HashMap<>())
                  .put(
                      order.nodes().get(node).work().name(),
                      ns / Math.max(1, visits.getOrDefault(node, 1))));
    }

    private void finish(int node, List<Double> values) {
      PassNode of = order.nodes().get(node);
      Statistics all = Statistics.of(values.stream().mapToDouble(each -> each).toArray());
      List<String> words =
          operators.find(of.work().operator()).map(rule -> rule.words()).orElse(List.of());
      Sample.Key key =
          new Sample.Key(
              of.work().kind(),
              Optional.empty(),
              of.work().backward(),
              of.work().size(),
              of.work().size().hasProducts() || words.isEmpty() ? "" : words.get(0));
      if (all.mean() > 0) {
        samples.add(new Sample(key, of.work().operator(), all, Map.of()));
      }
      own.computeIfAbsent(of.plan(), plan -> new HashMap<>())
          .put(of.work().name(), new Match(Level.COMPOSED, all.mean(), Optional.empty()));
    }
  }

  private void use(Item item, double ns, Way way) {
    double all = item.ns();
    for (Run run : item.runs()) {
      used.computeIfAbsent(run.operator(), each -> new EnumMap<>(Way.class))
          .merge(way, ns * run.ns() / all, Double::sum);
    }
  }
}
