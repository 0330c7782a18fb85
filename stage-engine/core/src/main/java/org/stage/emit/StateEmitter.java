package org.stage.emit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.stage.api.workload.Details;
import org.stage.api.workload.Ids;
import org.stage.api.workload.Node;
import org.stage.api.workload.Precision;
import org.stage.arithmetic.Sums;
import org.stage.operator.GradientNames;
import org.stage.state.FlatBuffer;
import org.stage.state.ModuleStates;
import org.stage.state.Moment;
import org.stage.state.StateAction;
import org.stage.state.Work;

/**
 * Adds the work on a module's parameters, gradients and optimizer states to a graph: knows where
 * each of them is, and which tensor and node hold its newest state.
 */
final class StateEmitter {
  private final String name;
  private final ModuleStates states;
  private final Precision precision;
  private final GraphWriter graph;
  private final Map<String, Parameter> parameters = new LinkedHashMap<>();

  /** By flat buffer: this rank's shard of its gradients. */
  private final Map<String, TensorRef> gradientShards = new HashMap<>();

  /** By flat buffer: a micro-batch's shard that is to be added to those before. */
  private final Map<String, TensorRef> addends = new HashMap<>();

  private @Nullable TensorRef updated;
  private @Nullable TensorRef optimizerStates;
  private int shardVersion;

  StateEmitter(String name, ModuleStates states, Precision precision, GraphWriter graph) {
    this.name = name;
    this.states = states;
    this.precision = precision;
    this.graph = graph;
    states
        .parameters()
        .forEach(
            (parameter, elements) -> {
              String full = name + "." + parameter;
              long bytes = precision.weights().bytes(elements);
              parameters.put(parameter, new Parameter(full, graph.given(full, bytes)));
            });
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

  private List<Parameter> parameters(StateAction action) {
    return action.parameters().stream().map(this::parameter).toList();
  }

  /**
   * Adds an action to the graph.
   *
   * @param prefix what the names of its node and tensors begin with
   * @param details what is known of it
   * @param norm where the norm of all gradients is, if they are clipped by it
   */
  void add(StateAction action, String prefix, Details details, Optional<TensorRef> norm) {
    String what = prefix + action.name();
    switch (action.kind()) {
      case GATHER -> gather(action, prefix, details);
      case REDUCE -> reduce(action, what, details);
      case SCATTER -> scatter(action, what, details, false);
      case SCATTER_AND_FREE -> scatter(action, what, details, true);
      case ACCUMULATE -> accumulate(action, what, details);
      case REDUCE_SHARD -> reduceShard(action, what, details);
      case LOAD_STATES -> load(action, prefix);
      case UPDATE -> update(action, prefix, details, norm);
      case STORE_STATES -> store(action, what);
      default -> throw new IllegalArgumentException(what + " is no work on one module's states");
    }
  }

  /** Gathers parameters, into a buffer that is free once the last kernel is done. */
  private void gather(StateAction action, String prefix, Details details) {
    List<Parameter> of = parameters(action);
    FlatBuffer buffer = action.flatBuffer();
    long elements = Sums.of(buffer.slices().stream().mapToLong(FlatBuffer.Slice::elements));
    String gathered = prefix + buffer.name(action.moment());
    TensorRef written = graph.written(gathered, precision.weights().bytes(elements));
    Ids free = action.moment() == Moment.AFTER_UPDATE ? Ids.NONE : graph.lastKernel();
    List<TensorRef> shard =
        updated == null ? of.stream().map(Parameter::at).toList() : List.of(updated);
    Ids deps = updated == null ? Ids.NONE : updated.writer();
    add(action, prefix + action.name(), deps, free, IdSet.of(shard), List.of(written), details);
    of.forEach(parameter -> parameter.gathered(written));
  }

  /** Reduces whole gradients where they lie. */
  private void reduce(StateAction action, String what, Details details) {
    List<TensorRef> before = wholeGradients(parameters(action));
    List<TensorRef> written = new ArrayList<>();
    for (String parameter : action.parameters()) {
      long elements = states.parameters().getOrDefault(parameter, 0L);
      long bytes = precision.gradients().bytes(elements);
      written.add(parameter(parameter).accumulate(graph, bytes));
    }
    add(action, what, IdSet.writers(before), Ids.NONE, IdSet.of(before), written, details);
  }

  private static List<TensorRef> wholeGradients(List<Parameter> of) {
    return of.stream().flatMap(parameter -> parameter.gradient().stream()).toList();
  }

  private void scatter(StateAction action, String what, Details details, boolean frees) {
    List<Parameter> of = parameters(action);
    List<TensorRef> whole = wholeGradients(of);
    // Buckets of one scatter fill one shard: each follows the one before.
    Stream<TensorRef> before = frees ? Stream.of() : shard(action).stream();
    Ids deps = IdSet.writers(Stream.concat(before, whole.stream()).toList());
    Work.Transfer transfer = (Work.Transfer) action.work();
    TensorRef part = nextShard(transfer.elements() / transfer.group().size());
    add(action, what, deps, Ids.NONE, IdSet.of(whole), List.of(part), details);
    of.forEach(parameter -> parameter.scattered(frees));
    if (frees && shard(action).isPresent()) {
      addends.put(action.flatBuffer().name(), part);
    } else {
      gradientShards.put(action.flatBuffer().name(), part);
    }
  }

  private void accumulate(StateAction action, String what, Details details) {
    FlatBuffer buffer = action.flatBuffer();
    TensorRef part = addends.remove(buffer.name());
    TensorRef before = gradientShards.get(buffer.name());
    if (part == null || before == null) {
      throw new IllegalStateException(what + " has nothing to add");
    }
    TensorRef sum = nextShard(buffer.shard());
    List<TensorRef> both = List.of(before, part);
    Ids deps = IdSet.writers(both);
    add(action, what, deps, graph.turnDeps(deps), IdSet.of(both), List.of(sum), details);
    gradientShards.put(buffer.name(), sum);
  }

  private void reduceShard(StateAction action, String what, Details details) {
    List<TensorRef> before = shard(action).stream().toList();
    TensorRef reduced = nextShard(((Work.Transfer) action.work()).elements());
    Ids deps = IdSet.writers(before);
    add(action, what, deps, Ids.NONE, IdSet.of(before), List.of(reduced), details);
    gradientShards.put(action.flatBuffer().name(), reduced);
  }

  private Optional<TensorRef> shard(StateAction action) {
    return Optional.ofNullable(gradientShards.get(action.flatBuffer().name()));
  }

  private TensorRef nextShard(long elements) {
    shardVersion++;
    long bytes = precision.gradients().bytes(elements);
    return graph.written(GradientNames.of(name) + ".shard#" + shardVersion, bytes);
  }

  /**
   * The gradients that this rank updates from, as they are now: shards, and whole ones that no
   * shard stands for, as they were never scattered or a tied table's that came after.
   */
  List<TensorRef> gradients() {
    Stream<TensorRef> whole =
        states.parameters().keySet().stream()
            .map(this::parameter)
            .filter(parameter -> !parameter.isInShard())
            .flatMap(parameter -> parameter.gradient().stream());
    return Stream.concat(gradientShards.values().stream(), whole).toList();
  }

  private void load(StateAction action, String prefix) {
    TensorRef loaded = graph.written(optimizerStates(prefix), states.update().stateBytes());
    String what = prefix + action.name();
    add(action, what, Ids.NONE, graph.lastKernel(), Ids.NONE, List.of(loaded), Details.NONE);
    optimizerStates = loaded;
  }

  private String optimizerStates(String prefix) {
    return prefix + states.update().operator() + ".states";
  }

  /** Updates the parameters, or this rank's shard of them. */
  private void update(
      StateAction action, String prefix, Details details, Optional<TensorRef> norm) {
    TensorRef held =
        optimizerStates == null
            ? graph.given(optimizerStates(prefix), states.update().stateBytes())
            : optimizerStates;
    List<TensorRef> before = new ArrayList<>(gradients());
    before.add(held);
    norm.ifPresent(before::add);
    Ids deps = IdSet.writers(before);
    states.parameters().keySet().forEach(parameter -> before.add(parameter(parameter).at()));
    String what = prefix + action.name();
    TensorRef written = graph.written(what + ".updated", states.update().bytesWritten());
    add(action, what, deps, graph.turnDeps(deps), IdSet.of(before), List.of(written), details);
    updated = written;
  }

  private void store(StateAction action, String what) {
    List<TensorRef> stored = Optional.ofNullable(updated).stream().toList();
    add(action, what, IdSet.writers(stored), Ids.NONE, IdSet.of(stored), List.of(), Details.NONE);
  }

  private void add(
      StateAction action,
      String what,
      Ids deps,
      Ids control,
      Ids reads,
      List<TensorRef> writes,
      Details details) {
    int[] written = writes.stream().mapToInt(TensorRef::id).toArray();
    Node.Header header =
        graph.header(what, action.moment().phase(), deps, control, reads, Ids.of(written), details);
    graph.add(header, action.work());
  }
}
