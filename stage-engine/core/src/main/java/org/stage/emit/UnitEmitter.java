package org.stage.emit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.stage.api.workload.Details;
import org.stage.api.workload.Ids;
import org.stage.api.workload.Node;
import org.stage.parallel.Value;
import org.stage.plan.Instruction;
import org.stage.plan.Program;
import org.stage.plan.Program.Variable;
import org.stage.plan.StepPlan;
import org.stage.plan.UnitPlan;
import org.stage.state.Action;
import org.stage.state.Work;

/**
 * Adds a module's programs to a graph, micro-batch by micro-batch: knows where the variables of
 * each micro-batch are, from its forward pass until the end of its backward pass.
 */
final class UnitEmitter {
  private final StepPlan.Unit unit;
  private final UnitPlan plan;
  private final StateEmitter states;
  private final GraphWriter graph;
  private final Function<Action, Details> details;
  private final IntFunction<TensorRef> input;
  private final IntFunction<TensorRef> outputGradient;

  /** By micro-batch in flight. */
  private final Map<Integer, Run> runs = new HashMap<>();

  /** Where the variables of one micro-batch are. */
  private static final class Run {
    final Values forward;

    @Nullable Values backward;

    /** What is made again; else what the forward pass left counts. */
    @Nullable Values again;

    /** The first node of what is made again. */
    int againFrom;

    /** The node that took what it keeps to host memory, if that lies there. */
    Ids stored = Ids.NONE;

    Run(Values forward) {
      this.forward = forward;
    }
  }

  /**
   * A module of a stage.
   *
   * @param input by micro-batch, what the module before hands on
   * @param outputGradient by micro-batch, the gradient that the module behind hands back
   */
  UnitEmitter(
      StepPlan.Unit unit,
      StateEmitter states,
      GraphWriter graph,
      Function<Action, Details> details,
      IntFunction<TensorRef> input,
      IntFunction<TensorRef> outputGradient) {
    this.unit = unit;
    this.plan = unit.plan();
    this.states = states;
    this.graph = graph;
    this.details = details;
    this.input = input;
    this.outputGradient = outputGradient;
  }

  StepPlan.Unit unit() {
    return unit;
  }

  StateEmitter states() {
    return states;
  }

  Details details(Action action) {
    return details.apply(action);
  }

  /** What a forward pass hands on. */
  TensorRef output(int microBatch) {
    return run(microBatch).forward.outgoing();
  }

  /** What a backward pass hands back. */
  TensorRef inputGradient(int microBatch) {
    return backward(run(microBatch), microBatch).outgoing();
  }

  /** A micro-batch has left. */
  void finish(int microBatch) {
    runs.remove(microBatch);
  }

  private Run run(int microBatch) {
    Run run = runs.get(microBatch);
    if (run == null) {
      throw new IllegalStateException(unit.name() + ": nothing is left of " + microBatch);
    }
    return run;
  }

  /** Adds an instruction. */
  void add(Instruction instruction, int microBatch) {
    String prefix = "mb" + microBatch + "." + unit.name() + ".";
    switch (instruction.moment()) {
      case FORWARD -> {
        Run run =
            runs.computeIfAbsent(microBatch, each -> new Run(begin(plan.forward(), each, input)));
        add(instruction, new Frame(plan.forward(), run, run.forward, prefix, ""));
      }
      case RECOMPUTATION -> recompute(instruction, microBatch, prefix);
      case AFTER_FORWARD -> {
        Run run = run(microBatch);
        run.stored = Ids.of(graph.next());
        add(instruction, new Frame(plan.forward(), run, run.forward, prefix, ""));
      }
      case BEFORE_BACKWARD -> load(instruction, run(microBatch), prefix);
      default -> {
        Run run = run(microBatch);
        Values values = backward(run, microBatch);
        add(instruction, new Frame(plan.backward(), run, values, prefix, ""));
      }
    }
  }

  /** A pass begins: with what is there from the start, and what another module hands over. */
  private Values begin(Program program, int microBatch, IntFunction<TensorRef> neighbour) {
    Values begun = new Values(program);
    for (int v = 0; v < program.variables().size(); v++) {
      Variable variable = program.variables().get(v);
      if (variable.source() instanceof Value.Source.Neighbour) {
        begun.put(v, neighbour.apply(microBatch));
      } else if (variable.isGiven()) {
        String name = "mb" + microBatch + "." + unit.name() + "." + variable.name();
        begun.put(
            v,
            states
                .find(variable.tensor())
                .map(Parameter::at)
                .orElseGet(() -> graph.given(name, variable.bytes())));
      }
    }
    return begun;
  }

  private Values backward(Run run, int microBatch) {
    if (run.backward == null) {
      run.backward = begin(plan.backward(), microBatch, outputGradient);
    }
    return run.backward;
  }

  private void recompute(Instruction instruction, int microBatch, String prefix) {
    Run run = run(microBatch);
    backward(run, microBatch);
    if (run.again == null) {
      run.again = new Values(plan.forward());
      run.againFrom = graph.next();
    }
    add(instruction, new Frame(plan.forward(), run, run.again, prefix, ".recompute"));
  }

  /**
   * The variables of a pass while an instruction is added.
   *
   * @param program the program
   * @param run the micro-batch
   * @param values where its variables are
   * @param prefix what names begin with
   * @param suffix what they end with
   */
  private record Frame(Program program, Run run, Values values, String prefix, String suffix) {}

  /** Where a variable is: written before, or in the place that its source says. */
  private TensorRef read(Frame frame, int variable) {
    int root = frame.program().root(variable);
    return frame.values().find(root).orElseGet(() -> outside(frame, root));
  }

  private TensorRef outside(Frame frame, int root) {
    Variable variable = frame.program().variables().get(root);
    if (variable.source() instanceof Value.Source.Saved saved) {
      return saved(frame.run(), plan.forward().root(saved.value()));
    }
    // Parameters may stand in another buffer than in the forward pass.
    return states
        .find(variable.isGiven() ? variable.tensor() : "")
        .map(Parameter::at)
        .orElseGet(() -> frame.run().forward.get(root));
  }

  private TensorRef saved(Run run, int root) {
    return run.again != null && plan.recomputed().replaced().contains(root)
        ? run.again.get(root)
        : run.forward.get(root);
  }

  private void add(Instruction instruction, Frame frame) {
    List<TensorRef> read = new ArrayList<>();
    instruction.reads().forEach(variable -> read.add(read(frame, variable)));
    IdSet writes = new IdSet();
    for (int variable : instruction.writes()) {
      TensorRef at = write(frame, frame.program().variables().get(variable), read);
      frame.values().put(variable, at);
      writes.add(at.id());
    }
    Ids data = IdSet.writers(read);
    String name = frame.prefix() + instruction.name();
    if (instruction.work() instanceof Work.Message message) {
      addRingTurn(instruction, message, name, frame.suffix(), read, writes.sorted());
      return;
    }
    Ids control = instruction.work() instanceof Work.Kernel ? control(frame, data) : Ids.NONE;
    Ids reads = IdSet.of(read);
    graph.add(
        header(instruction, name + frame.suffix(), data, control, reads, writes.sorted()),
        instruction.work());
  }

  /** The tensor of a variable that the next node writes; a gradient is added to what there is. */
  private TensorRef write(Frame frame, Variable variable, List<TensorRef> read) {
    if (variable.isGradient()) {
      Parameter parameter = states.parameter(variable.parameter());
      parameter.gradient().ifPresent(read::add);
      return parameter.accumulate(graph, variable.bytes());
    }
    return graph.written(frame.prefix() + variable.name() + frame.suffix(), variable.bytes());
  }

  private Node.Header header(
      Action action, String name, Ids data, Ids control, Ids reads, Ids writes) {
    return graph.header(
        name, action.moment().phase(), data, control, reads, writes, details.apply(action));
  }

  /**
   * What a kernel waits for beside its data. One that runs again and needs nothing else that does
   * waits for the gradient from behind: else all layers would recompute as soon as the turn begins.
   */
  private Ids control(Frame frame, Ids data) {
    Ids control = graph.turnDeps(data);
    Run run = frame.run();
    boolean last = data.size() > 0 && data.get(data.size() - 1) >= run.againFrom;
    if (frame.suffix().isEmpty() || last) {
      return control;
    }
    IdSet both = new IdSet();
    both.addAll(control);
    both.addAll(outputGradient(run));
    return both.sorted();
  }

  /** The node from which the gradient of a module's output comes, if one does. */
  private Ids outputGradient(Run run) {
    List<Variable> variables = plan.backward().variables();
    for (int v = 0; run.backward != null && v < variables.size(); v++) {
      if (variables.get(v).source() instanceof Value.Source.Neighbour) {
        return run.backward.get(v).writer();
      }
    }
    return Ids.NONE;
  }

  /**
   * Adds a turn of a ring. Every rank sends at once, so each posts its receive before: as soon as
   * the kernel before is done, which is the one that frees a buffer where two serve in turn.
   */
  private void addRingTurn(
      Instruction shift,
      Work.Message message,
      String name,
      String suffix,
      List<TensorRef> sent,
      Ids received) {
    int tag = graph.nextTag();
    String axis = message.axis();
    long elements = message.elements();
    Node.Header comes =
        graph.header(
            name + ".recv" + suffix,
            shift.moment().phase(),
            Ids.NONE,
            graph.lastKernel(),
            Ids.NONE,
            received,
            Details.NONE);
    graph.add(new Node.Recv(comes, axis, -1, elements, message.type(), tag));
    Ids deps = IdSet.writers(sent);
    Node.Header goes =
        header(shift, name + ".send" + suffix, deps, Ids.NONE, IdSet.of(sent), Ids.NONE);
    graph.add(new Node.Send(goes, axis, 1, elements, message.type(), tag));
  }

  /** Brings back what was taken to host memory, once the last kernel has freed its place. */
  private void load(Instruction copy, Run run, String prefix) {
    IdSet loaded = new IdSet();
    for (int variable : copy.writes()) {
      Variable kept = plan.forward().variables().get(variable);
      TensorRef at = graph.written(prefix + kept.name() + ".reloaded", kept.bytes());
      run.forward.put(variable, at);
      loaded.add(at.id());
    }
    Ids free = graph.lastKernel();
    String name = prefix + copy.name();
    graph.add(header(copy, name, run.stored, free, Ids.NONE, loaded.sorted()), copy.work());
  }
}
