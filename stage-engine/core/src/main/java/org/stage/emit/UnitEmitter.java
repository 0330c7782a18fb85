package org.stage.emit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.stage.api.workload.Details;
import org.stage.api.workload.Ids;
import org.stage.api.workload.Node;
import org.stage.api.workload.NodeHeader;
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

  /** The passes of one micro-batch: the backward pass once it has begun, what is made again too. */
  private static final class Run {
    final PassValues forward;
    @Nullable PassValues backward;
    @Nullable PassValues again;

    /** The first node of what is made again. */
    int againFrom;

    /** The node that took what it keeps to host memory, if that lies there. */
    Ids stored = Ids.NONE;

    Run(PassValues forward) {
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
    switch (instruction.moment()) {
      case FORWARD -> {
        Run run =
            runs.computeIfAbsent(microBatch, each -> new Run(begin(plan.forward(), each, input)));
        add(instruction, run, run.forward);
      }
      case AFTER_FORWARD -> {
        Run run = run(microBatch);
        run.stored = Ids.of(graph.next());
        add(instruction, run, run.forward);
      }
      case BEFORE_BACKWARD -> load(instruction, run(microBatch));
      case RECOMPUTATION -> {
        Run run = run(microBatch);
        backward(run, microBatch);
        if (run.again == null) {
          run.again = new PassValues(plan.forward(), microBatch, unit.name(), ".recompute");
          run.againFrom = graph.next();
        }
        add(instruction, run, run.again);
      }
      default -> {
        Run run = run(microBatch);
        add(instruction, run, backward(run, microBatch));
      }
    }
  }

  /** A pass begins: with what is there from the start, and what another module hands over. */
  private PassValues begin(Program program, int microBatch, IntFunction<TensorRef> neighbour) {
    PassValues begun = new PassValues(program, microBatch, unit.name(), "");
    for (int v = 0; v < program.variables().size(); v++) {
      Variable variable = program.variables().get(v);
      if (variable.source() instanceof Value.Source.Neighbour) {
        begun.put(v, neighbour.apply(microBatch));
      } else if (variable.isGiven()) {
        Optional<TensorRef> parameter = states.find(variable.tensor()).map(Parameter::at);
        String name = begun.name(variable.name());
        begun.put(v, parameter.orElseGet(() -> graph.given(name, variable.type())));
      }
    }
    return begun;
  }

  private PassValues backward(Run run, int microBatch) {
    if (run.backward == null) {
      run.backward = begin(plan.backward(), microBatch, outputGradient);
    }
    return run.backward;
  }

  /** Where a variable is: written before, or in the place that its source says. */
  private TensorRef read(Run run, PassValues pass, int variable) {
    int root = pass.program().root(variable);
    return pass.find(root)
        .orElseGet(() -> outside(run, pass.program().variables().get(root), root));
  }

  private TensorRef outside(Run run, Variable variable, int root) {
    if (variable.source() instanceof Value.Source.Saved saved) {
      int kept = plan.forward().root(saved.value());
      boolean replaced = run.again != null && plan.recomputed().replaced().contains(kept);
      return replaced && run.again != null ? run.again.get(kept) : run.forward.get(kept);
    }
    // What is made again reads parameters where they are now, in a buffer gathered anew.
    return states
        .find(variable.isGiven() ? variable.tensor() : "")
        .map(Parameter::at)
        .orElseGet(() -> run.forward.get(root));
  }

  private void add(Instruction instruction, Run run, PassValues pass) {
    List<TensorRef> read = new ArrayList<>();
    instruction.reads().forEach(variable -> read.add(read(run, pass, variable)));
    IdSet writes = new IdSet();
    for (int variable : instruction.writes()) {
      TensorRef at = write(pass, pass.program().variables().get(variable), read);
      pass.put(variable, at);
      writes.add(at.id());
    }
    Ids data = IdSet.writers(read);
    NodeHeader.Access tensors = new NodeHeader.Access(IdSet.of(read), writes.sorted());
    if (instruction.work() instanceof Work.Message) {
      addRingTurn(instruction, pass, data, tensors);
      return;
    }
    Ids control = control(instruction, run, pass, data);
    NodeHeader.Dependencies deps = new NodeHeader.Dependencies(data, control);
    graph.add(header(instruction, instruction.name(), pass, deps, tensors), instruction.work());
  }

  /** The tensor of a variable that the next node writes; a gradient is added to what there is. */
  private TensorRef write(PassValues pass, Variable variable, List<TensorRef> read) {
    if (variable.isGradient()) {
      Parameter parameter = states.parameter(variable.parameter());
      parameter.gradient().ifPresent(read::add);
      return parameter.accumulate(graph, variable.type());
    }
    return graph.written(pass.name(variable.name()), variable.type());
  }

  private NodeHeader header(
      Instruction instruction,
      String inModule,
      PassValues pass,
      NodeHeader.Dependencies deps,
      NodeHeader.Access tensors) {
    return graph.header(
        pass.name(inModule),
        pass.position(inModule, instruction),
        instruction,
        deps,
        tensors,
        details.apply(instruction));
  }

  /**
   * What a kernel waits for beside its data: its turn. What runs again and needs nothing else that
   * does waits for the gradient from behind: else all layers would recompute at once.
   */
  private Ids control(Instruction instruction, Run run, PassValues pass, Ids data) {
    Ids control = instruction.work() instanceof Work.Kernel ? graph.turnDeps(data) : Ids.NONE;
    boolean follows = data.size() > 0 && data.get(data.size() - 1) >= run.againFrom;
    if (!pass.isAgain() || follows) {
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
      Instruction shift, PassValues pass, Ids data, NodeHeader.Access tensors) {
    Work.Message message = (Work.Message) shift.work();
    int tag = graph.nextTag();
    String receive = shift.name() + ".recv";
    NodeHeader comes =
        graph.header(
            pass.name(receive),
            pass.position(receive, shift),
            shift,
            new NodeHeader.Dependencies(Ids.NONE, graph.lastKernel()),
            new NodeHeader.Access(Ids.NONE, tensors.writes()),
            Details.NONE);
    graph.add(new Node.Recv(comes, message.axis(), -1, message.elements(), message.type(), tag));
    NodeHeader goes =
        header(
            shift,
            shift.name() + ".send",
            pass,
            new NodeHeader.Dependencies(data, Ids.NONE),
            new NodeHeader.Access(tensors.reads(), Ids.NONE));
    graph.add(new Node.Send(goes, message.axis(), 1, message.elements(), message.type(), tag));
  }

  /** Brings back what was taken to host memory, once the last kernel has freed its place. */
  private void load(Instruction copy, Run run) {
    IdSet loaded = new IdSet();
    for (int variable : copy.writes()) {
      Variable kept = plan.forward().variables().get(variable);
      TensorRef at = graph.written(run.forward.name(kept.name() + ".reloaded"), kept.type());
      run.forward.put(variable, at);
      loaded.add(at.id());
    }
    NodeHeader.Dependencies deps = new NodeHeader.Dependencies(run.stored, graph.lastKernel());
    NodeHeader.Access tensors = new NodeHeader.Access(Ids.NONE, loaded.sorted());
    graph.add(header(copy, copy.name(), run.forward, deps, tensors), copy.work());
  }
}
