package org.stage.emit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.stage.api.workload.Details;
import org.stage.api.workload.Ids;
import org.stage.api.workload.NodeHeader;
import org.stage.api.workload.Position;
import org.stage.api.workload.Precision;
import org.stage.api.workload.TensorType;
import org.stage.operator.GradientNames;
import org.stage.plan.UnitAction;
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

  /**
   * The states of a module.
   *
   * @param types dimensions of the parameters that it owns, in order
   */
  StateEmitter(
      String name,
      ModuleStates states,
      Map<String, TensorType> types,
      Precision precision,
      GraphWriter graph) {
    this.name = name;
    this.states = states;
    this.precision = precision;
    this.graph = graph;
    types.forEach(
        (parameter, type) -> {
          String full = name + "." + parameter;
          parameters.put(parameter, new Parameter(full, type, graph.given(full, type)));
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
   * @param each the action, at the place where its name begins
   * @param microBatch the micro-batch with which it comes, if it comes with one
   * @param details what is known of it
   * @param behind what a reduction waits for beside what it reduces
   * @param norm where the norm of all gradients is, if they are clipped by it
   */
  void add(
      UnitAction each,
      OptionalInt microBatch,
      Details details,
      Ids behind,
      Optional<TensorRef> norm) {
    Draft draft = new Draft(each, microBatch, details, behind);
    switch (draft.action.kind()) {
      case GATHER -> gather(draft);
      case REDUCE -> reduce(draft);
      case SCATTER -> scatter(draft, false);
      case SCATTER_AND_FREE -> scatter(draft, true);
      case ACCUMULATE -> accumulate(draft);
      case REDUCE_SHARD -> reduceShard(draft);
      case LOAD_STATES -> load(draft);
      case UPDATE -> update(draft, norm);
      case STORE_STATES -> store(draft);
      default ->
          throw new IllegalArgumentException(draft.name() + " is no work on one module's states");
    }
  }

  /** A node of which only the dependencies and tensors are not known yet. */
  private final class Draft {
    final StateAction action;
    final String place;
    final OptionalInt microBatch;
    final Details details;
    final Ids behind;

    Draft(UnitAction each, OptionalInt microBatch, Details details, Ids behind) {
      this.action = (StateAction) each.action();
      this.place = each.place();
      this.microBatch = microBatch;
      this.details = details;
      this.behind = action.moment().isAlone() ? graph.lastKernels() : behind;
    }

    /** What the names of its node and tensors begin with. */
    String prefix() {
      String number = microBatch.isPresent() ? "mb" + microBatch.getAsInt() + "." : "";
      return number + (place.isEmpty() ? "" : place + ".");
    }

    String name() {
      return prefix() + action.name();
    }

    /** Adds a collective that reduces gradients; if it is alone the next kernel waits for it. */
    void reduce(Ids deps, Ids reads, List<TensorRef> writes) {
      if (action.moment().isAlone()) {
        graph.await(((Work.Transfer) action.work()).group());
      }
      add(deps, IdSet.without(behind, deps), reads, writes);
    }

    void add(Ids deps, Ids control, Ids reads, List<TensorRef> writes) {
      int[] written = writes.stream().mapToInt(TensorRef::id).toArray();
      NodeHeader header =
          graph.header(
              name(),
              new Position(microBatch, place, action.name(), action.role()),
              action,
              new NodeHeader.Dependencies(deps, control),
              new NodeHeader.Access(reads, Ids.of(written)),
              details);
      graph.add(header, action.work());
    }
  }

  /**
   * Gathers parameters once the last kernel is done: it frees the buffer, or is an update. At the
   * beginning of a step there is nothing to wait for.
   */
  private void gather(Draft draft) {
    StateAction action = draft.action;
    List<Parameter> of = parameters(action);
    FlatBuffer buffer = action.flatBuffer();
    long elements = buffer.elements(action.parameters());
    String gathered = draft.prefix() + buffer.name(action.moment());
    TensorRef written = graph.written(gathered, TensorType.vector(elements, precision.weights()));
    boolean begins = action.moment() == Moment.BEFORE_FIRST_FORWARD;
    List<TensorRef> shard =
        updated == null ? of.stream().map(Parameter::at).toList() : List.of(updated);
    Ids deps = updated == null ? Ids.NONE : updated.writer();
    Ids last = begins ? Ids.NONE : IdSet.without(graph.lastKernel(), deps);
    draft.add(deps, last, IdSet.of(shard), List.of(written));
    of.forEach(parameter -> parameter.gathered(written));
  }

  /** Reduces whole gradients where they lie. */
  private void reduce(Draft draft) {
    List<Parameter> of = parameters(draft.action);
    List<TensorRef> before = wholeGradients(of);
    List<TensorRef> written = new ArrayList<>();
    for (Parameter parameter : of) {
      TensorType type = new TensorType(parameter.type().dims(), precision.gradients());
      written.add(parameter.accumulate(graph, type));
    }
    draft.reduce(IdSet.writers(before), IdSet.of(before), written);
  }

  private static List<TensorRef> wholeGradients(List<Parameter> of) {
    return of.stream().flatMap(parameter -> parameter.gradient().stream()).toList();
  }

  private void scatter(Draft draft, boolean frees) {
    StateAction action = draft.action;
    List<Parameter> of = parameters(action);
    List<TensorRef> whole = wholeGradients(of);
    // Buckets of one scatter fill one shard: each follows the one before.
    Stream<TensorRef> before = frees ? Stream.of() : shard(action).stream();
    Ids deps = IdSet.writers(Stream.concat(before, whole.stream()).toList());
    Work.Transfer transfer = (Work.Transfer) action.work();
    TensorRef part = nextShard(transfer.elements() / transfer.group().size());
    draft.reduce(deps, IdSet.of(whole), List.of(part));
    of.forEach(parameter -> parameter.scattered(frees));
    if (frees && shard(action).isPresent()) {
      addends.put(action.flatBuffer().name(), part);
    } else {
      gradientShards.put(action.flatBuffer().name(), part);
    }
  }

  private void accumulate(Draft draft) {
    FlatBuffer buffer = draft.action.flatBuffer();
    TensorRef part = addends.remove(buffer.name());
    TensorRef before = gradientShards.get(buffer.name());
    if (part == null || before == null) {
      throw new IllegalStateException(draft.name() + " has nothing to add");
    }
    TensorRef sum = nextShard(buffer.shard());
    List<TensorRef> both = List.of(before, part);
    Ids deps = IdSet.writers(both);
    draft.add(deps, graph.turnDeps(deps), IdSet.of(both), List.of(sum));
    gradientShards.put(buffer.name(), sum);
  }

  private void reduceShard(Draft draft) {
    StateAction action = draft.action;
    List<TensorRef> before = shard(action).stream().toList();
    TensorRef reduced = nextShard(((Work.Transfer) action.work()).elements());
    Ids deps = IdSet.writers(before);
    draft.reduce(deps, IdSet.of(before), List.of(reduced));
    gradientShards.put(action.flatBuffer().name(), reduced);
  }

  private Optional<TensorRef> shard(StateAction action) {
    return Optional.ofNullable(gradientShards.get(action.flatBuffer().name()));
  }

  private TensorRef nextShard(long elements) {
    shardVersion++;
    TensorType type = TensorType.vector(elements, precision.gradients());
    return graph.written(GradientNames.of(name) + ".shard#" + shardVersion, type);
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

  private void load(Draft draft) {
    TensorRef loaded = graph.written(optimizerStates(draft), states.update().states());
    draft.add(Ids.NONE, graph.lastKernel(), Ids.NONE, List.of(loaded));
    optimizerStates = loaded;
  }

  private String optimizerStates(Draft draft) {
    return draft.prefix() + states.update().operator() + ".states";
  }

  /** Updates the parameters, or this rank's shard of them. */
  private void update(Draft draft, Optional<TensorRef> norm) {
    TensorRef held =
        optimizerStates == null
            ? graph.given(optimizerStates(draft), states.update().states())
            : optimizerStates;
    List<TensorRef> before = new ArrayList<>(gradients());
    before.add(held);
    norm.ifPresent(before::add);
    Ids deps = IdSet.writers(before);
    states.parameters().keySet().forEach(parameter -> before.add(parameter(parameter).at()));
    // Master copy, moments and weights, of several types.
    TensorType written = TensorType.ofBytes(states.update().bytesWritten());
    updated = graph.written(draft.name() + ".updated", written);
    draft.add(deps, graph.turnDeps(deps), IdSet.of(before), List.of(updated));
  }

  private void store(Draft draft) {
    List<TensorRef> stored = Optional.ofNullable(updated).stream().toList();
    draft.add(IdSet.writers(stored), Ids.NONE, IdSet.of(stored), List.of());
  }
}
