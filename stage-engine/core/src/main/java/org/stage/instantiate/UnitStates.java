package org.stage.instantiate;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.stage.api.workload.Ids;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Node;
import org.stage.api.workload.Phase;
import org.stage.api.workload.Precision;
import org.stage.arithmetic.Sums;

/**
 * Parameters, gradients and optimizer states of a module while a graph is built, and the
 * collectives and kernels that work on them whole.
 */
final class UnitStates {
  private final String name;
  private final UnitPlan plan;
  private final Precision precision;
  private final GraphWriter graph;
  private final Map<String, Parameter> parameters = new LinkedHashMap<>();

  /** By flat buffer: this rank's shard of its gradients. */
  private final Map<Integer, Handle> gradientShards = new TreeMap<>();

  private Handle parameterShard = Handle.NONE;
  private int shardVersion;

  UnitStates(String name, UnitPlan plan, Precision precision, GraphWriter graph) {
    this.name = name;
    this.plan = plan;
    this.precision = precision;
    this.graph = graph;
    plan.parameters()
        .forEach(
            (parameter, elements) -> {
              String full = name + "." + parameter;
              int tensor = graph.tensor(full, precision.weights().bytes(elements));
              parameters.put(parameter, new Parameter(full, tensor));
            });
  }

  String name() {
    return name;
  }

  UnitPlan plan() {
    return plan;
  }

  /** Uses a parameter of another module of the stage as its own {@code as}. */
  void borrow(String as, Parameter parameter) {
    parameters.putIfAbsent(as, parameter);
  }

  Optional<Parameter> find(String parameter) {
    return Optional.ofNullable(parameters.get(parameter));
  }

  Parameter parameter(String parameter) {
    return find(parameter)
        .orElseThrow(() -> new IllegalStateException(name + " has no parameter " + parameter));
  }

  private List<Parameter> owned() {
    return plan.parameters().keySet().stream().map(this::parameter).toList();
  }

  /** Gathers parameters, into a buffer that is free once {@code frees} is done. */
  void gather(Sync sync, String prefix, Phase phase, int frees) {
    String suffix = phase == Phase.BACKWARD ? Exchange.BACKWARD : "";
    List<Parameter> of = parameters(sync);
    String buffer = prefix + name + "." + Exchange.buffer(sync);
    int written = graph.tensor(buffer + suffix, precision.weights().bytes(elements(sync)));
    Ids reads =
        parameterShard.tensor() < 0
            ? Ids.sorted(of.stream().mapToInt(p -> p.at().tensor()))
            : Ids.of(parameterShard.tensor());
    Node.Header header =
        graph.header(
            prefix + name + "." + Exchange.gather(sync) + suffix,
            phase,
            IntStream.of(parameterShard.node()),
            frees < 0 ? Ids.NONE : Ids.of(frees),
            reads,
            Ids.of(written),
            GraphWriter.lasting(sync.durationNs()));
    add(sync, header);
    Handle at = new Handle(header.id(), written);
    of.forEach(parameter -> parameter.gathered(at));
  }

  private List<Parameter> parameters(Sync sync) {
    return sync.parameters().stream().map(this::parameter).toList();
  }

  private long elements(Sync sync) {
    return Sums.of(
        sync.parameters().stream()
            .mapToLong(parameter -> plan.parameters().getOrDefault(parameter, 0L)));
  }

  /** Runs a collective on the gradients as they are now. */
  void reduce(Sync sync, String what) {
    switch (sync.of()) {
      case GRADIENT_SHARD -> {
        Handle before = shard(sync);
        intoShard(sync, what, IntStream.of(before.node()), IntStream.of(before.tensor()));
      }
      case GRADIENTS_TO_SHARD -> scatter(sync, what);
      default -> reduceWhole(sync, what);
    }
  }

  private void reduceWhole(Sync sync, String what) {
    List<Parameter> of = parameters(sync);
    int[] deps = of.stream().mapToInt(Parameter::gradientNode).toArray();
    Ids reads = Ids.sorted(of.stream().flatMapToInt(p -> p.gradient().stream()));
    int[] writes = new int[of.size()];
    for (int i = 0; i < writes.length; i++) {
      long elements = plan.parameters().getOrDefault(sync.parameters().get(i), 0L);
      writes[i] = of.get(i).accumulate(graph, graph.next(), precision.gradients().bytes(elements));
    }
    add(
        sync,
        graph.header(
            what,
            Phase.BACKWARD,
            IntStream.of(deps),
            Ids.NONE,
            reads,
            Ids.of(writes),
            GraphWriter.lasting(sync.durationNs())));
  }

  private void scatter(Sync sync, String what) {
    List<Parameter> of = parameters(sync);
    Handle before = shard(sync);
    boolean adds = plan.exchange().accumulates();
    // Buckets of one scatter fill one shard: each follows the one before.
    IntStream deps =
        IntStream.concat(
            IntStream.of(adds ? -1 : before.node()), of.stream().mapToInt(Parameter::gradientNode));
    Handle part = intoShard(sync, what, deps, of.stream().flatMapToInt(p -> p.gradient().stream()));
    if (adds) {
      of.forEach(Parameter::scattered);
      if (before.node() >= 0) {
        accumulate(sync, what, before, part);
      }
    }
  }

  private Handle intoShard(Sync sync, String what, IntStream deps, IntStream reads) {
    int written = nextShard(sync);
    Node.Header header =
        graph.header(
            what,
            Phase.BACKWARD,
            deps,
            Ids.NONE,
            Ids.sorted(reads.filter(tensor -> tensor >= 0)),
            Ids.of(written),
            GraphWriter.lasting(sync.durationNs()));
    add(sync, header);
    Handle shard = new Handle(header.id(), written);
    gradientShards.put(sync.buffer(), shard);
    return shard;
  }

  /** The shard of a further micro-batch is added to that of those before. */
  private void accumulate(Sync sync, String what, Handle before, Handle part) {
    long elements = sync.elements() / sync.group().size();
    long bytes = precision.gradients().bytes(elements);
    int sum = nextShard(sync);
    int[] deps = {part.node(), before.node()};
    Node.Header header =
        graph.header(
            what + Exchange.ACCUMULATE,
            Phase.BACKWARD,
            IntStream.of(deps),
            graph.turnDeps(IntStream.of(deps)),
            Ids.sorted(IntStream.of(before.tensor(), part.tensor())),
            Ids.of(sum),
            GraphWriter.lasting(plan.times().accumulate(sync.buffer())));
    graph.add(
        new Node.Compute(
            header, "add", MatrixShape.NONE, 0, elements, Math.multiplyExact(2, bytes), bytes));
    gradientShards.put(sync.buffer(), new Handle(header.id(), sum));
  }

  private Handle shard(Sync sync) {
    return gradientShards.getOrDefault(sync.buffer(), Handle.NONE);
  }

  private int nextShard(Sync sync) {
    shardVersion++;
    boolean scatters = sync.of() == Sync.Of.GRADIENTS_TO_SHARD;
    long elements = scatters ? sync.elements() / sync.group().size() : sync.elements();
    return graph.tensor(
        name + ".grad.shard#" + shardVersion, precision.gradients().bytes(elements));
  }

  /**
   * The gradients that this rank updates from, as they are now.
   *
   * @param nodes the nodes that wrote them last
   * @param tensors where they are
   */
  record Gradients(Ids nodes, Ids tensors) {}

  Gradients gradients() {
    List<Parameter> whole = wholeGradients();
    IntStream nodes =
        IntStream.concat(
            gradientShards.values().stream().mapToInt(Handle::node),
            whole.stream().mapToInt(Parameter::gradientNode));
    IntStream tensors =
        IntStream.concat(
            whole.stream().flatMapToInt(p -> p.gradient().stream()),
            gradientShards.values().stream().mapToInt(Handle::tensor));
    return new Gradients(
        Ids.sorted(nodes.filter(node -> node >= 0)),
        Ids.sorted(tensors.filter(tensor -> tensor >= 0)));
  }

  /**
   * Updates the parameters, or this rank's shard of them.
   *
   * @param norm where the norm of all gradients is, if they are clipped by it
   * @param offloaded whether optimizer states lie in host memory before and after
   */
  void update(OptimizerCost cost, Handle norm, boolean offloaded) {
    if (plan.exchange().shard() == 0) {
      return;
    }
    Ids own = Ids.sorted(owned().stream().mapToInt(p -> p.at().tensor()));
    parameterShard =
        new UnitUpdate(graph, name + "." + cost.operator(), cost, offloaded)
            .add(gradients(), own, norm, plan.times().update());
    plan.exchange().afterUpdate().forEach(sync -> gather(sync, "", Phase.OPTIMIZER, -1));
  }

  /**
   * Gradients that no shard stands for: never scattered, or those of a tied table that came after.
   */
  private List<Parameter> wholeGradients() {
    int lastShard = gradientShards.values().stream().mapToInt(Handle::node).max().orElse(-1);
    Set<String> scattered = new HashSet<>();
    Stream.concat(plan.exchange().eachBackward().stream(), plan.exchange().lastBackward().stream())
        .filter(sync -> sync.of() == Sync.Of.GRADIENTS_TO_SHARD)
        .forEach(sync -> scattered.addAll(sync.parameters()));
    return plan.parameters().keySet().stream()
        .filter(p -> !scattered.contains(p) || parameter(p).gradientNode() > lastShard)
        .map(this::parameter)
        .toList();
  }

  private void add(Sync sync, Node.Header header) {
    graph.add(new Node.Collective(header, sync.kind(), sync.elements(), sync.type(), sync.group()));
  }
}
