package org.stage.instantiate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.stage.api.workload.Ids;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Node;
import org.stage.api.workload.Phase;
import org.stage.api.workload.Precision;

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
  private Handle gradientShard = Handle.NONE;
  private Handle parameterShard = Handle.NONE;
  private int shardVersion;

  UnitStates(String name, UnitPlan plan, Precision precision, GraphWriter graph) {
    this.name = name;
    this.plan = plan;
    this.precision = precision;
    this.graph = graph;
    int weight = precision.weights().bytes();
    plan.parameters()
        .forEach(
            (parameter, elements) -> {
              String full = name + "." + parameter;
              int tensor = graph.tensor(full, elements * weight);
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

  /** Gathers the parameters, into a buffer that is free once {@code frees} is done. */
  void gather(Sync sync, String prefix, Phase phase, int frees) {
    String suffix = phase == Phase.BACKWARD ? ".backward" : "";
    long bytes = plan.parameterElements() * precision.weights().bytes();
    String buffer = prefix + name + ".parameters";
    int written = graph.tensor(buffer + suffix, bytes);
    Ids reads =
        parameterShard.tensor() < 0
            ? Ids.sorted(owned().stream().mapToInt(p -> p.at().tensor()))
            : Ids.of(parameterShard.tensor());
    Node.Header header =
        graph.header(
            buffer + ".all-gather" + suffix,
            phase,
            IntStream.of(parameterShard.node()),
            frees < 0 ? Ids.NONE : Ids.of(frees),
            reads,
            Ids.of(written));
    add(sync, header);
    Handle at = new Handle(header.id(), written);
    owned().forEach(parameter -> parameter.gathered(at));
  }

  /** Runs a collective on the gradients as they are now. */
  void reduce(Sync sync, String what) {
    boolean shard = sync.of() == Sync.Of.GRADIENT_SHARD;
    boolean scatter = sync.of() == Sync.Of.GRADIENTS_TO_SHARD;
    List<Parameter> of = sync.parameters().stream().map(this::parameter).toList();
    IntStream deps =
        shard
            ? IntStream.of(gradientShard.node())
            : IntStream.concat(
                bucketBefore(scatter), of.stream().mapToInt(Parameter::gradientNode));
    IntStream reads =
        shard
            ? IntStream.of(gradientShard.tensor())
            : of.stream().flatMapToInt(p -> p.gradient().stream());
    Ids read = Ids.sorted(reads.filter(tensor -> tensor >= 0));
    int[] dataDeps = deps.toArray();
    int[] writes =
        shard || scatter ? new int[] {nextShard()} : gradientVersions(sync, of, graph.next());
    Node.Header header =
        graph.header(what, Phase.BACKWARD, IntStream.of(dataDeps), Ids.NONE, read, Ids.of(writes));
    add(sync, header);
    if (scatter && plan.exchange().accumulates()) {
      of.forEach(Parameter::scattered);
    }
    if (shard || scatter) {
      accumulate(scatter && plan.exchange().accumulates(), what, header, writes[0]);
    }
  }

  /** Buckets of one scatter fill one shard: each follows the one before. */
  private IntStream bucketBefore(boolean scatter) {
    boolean follows = scatter && !plan.exchange().accumulates();
    return IntStream.of(follows ? gradientShard.node() : -1);
  }

  private int[] gradientVersions(Sync sync, List<Parameter> of, int node) {
    int[] writes = new int[of.size()];
    for (int i = 0; i < writes.length; i++) {
      long elements = plan.parameters().getOrDefault(sync.parameters().get(i), 0L);
      writes[i] = of.get(i).accumulate(graph, node, elements * precision.gradients().bytes());
    }
    return writes;
  }

  /** The shard of a further micro-batch is added to that of those before. */
  private void accumulate(boolean adds, String what, Node.Header scatter, int part) {
    Handle before = gradientShard;
    gradientShard = new Handle(scatter.id(), part);
    if (!adds || before.node() < 0) {
      return;
    }
    long bytes = plan.exchange().shard() * precision.gradients().bytes();
    int sum = nextShard();
    int[] deps = {scatter.id(), before.node()};
    Node.Header header =
        graph.header(
            what + ".accumulate",
            Phase.BACKWARD,
            IntStream.of(deps),
            graph.turnDeps(IntStream.of(deps)),
            Ids.sorted(IntStream.of(before.tensor(), part)),
            Ids.of(sum));
    graph.add(
        new Node.Compute(
            header, "add", MatrixShape.NONE, 0, plan.exchange().shard(), 2 * bytes, bytes));
    gradientShard = new Handle(header.id(), sum);
  }

  private int nextShard() {
    shardVersion++;
    long bytes = plan.exchange().shard() * precision.gradients().bytes();
    return graph.tensor(name + ".grad.shard#" + shardVersion, bytes);
  }

  /** Updates the parameters, or this rank's shard of them. */
  void update(OptimizerCost cost) {
    if (plan.exchange().shard() == 0) {
      return;
    }
    String what = name + "." + cost.operator();
    int states = graph.tensor(what + ".states", cost.stateBytes());
    // Once there is a shard, whole gradients matter only where a tied table's came after it.
    List<Parameter> whole =
        owned().stream().filter(p -> p.gradientNode() > gradientShard.node()).toList();
    int[] deps =
        IntStream.concat(
                IntStream.of(gradientShard.node()),
                whole.stream().mapToInt(Parameter::gradientNode))
            .toArray();
    IntStream reads =
        Stream.of(
                owned().stream().mapToInt(p -> p.at().tensor()),
                whole.stream().flatMapToInt(p -> p.gradient().stream()),
                IntStream.of(states, gradientShard.tensor()))
            .flatMapToInt(stream -> stream);
    int written = graph.tensor(what + ".updated", cost.bytesWritten());
    Node.Header header =
        graph.header(
            what,
            Phase.OPTIMIZER,
            IntStream.of(deps),
            graph.turnDeps(IntStream.of(deps)),
            Ids.sorted(reads.filter(tensor -> tensor >= 0)),
            Ids.of(written));
    graph.add(
        new Node.Compute(
            header,
            cost.operator(),
            MatrixShape.NONE,
            0,
            cost.otherFlops(),
            cost.bytesRead(),
            cost.bytesWritten()));
    parameterShard = new Handle(header.id(), written);
    plan.exchange().afterUpdate().ifPresent(sync -> gather(sync, "", Phase.OPTIMIZER, -1));
  }

  private void add(Sync sync, Node.Header header) {
    graph.add(new Node.Collective(header, sync.kind(), sync.elements(), sync.type(), sync.group()));
  }
}
