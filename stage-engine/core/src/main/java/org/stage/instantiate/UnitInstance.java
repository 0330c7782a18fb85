package org.stage.instantiate;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.stage.api.workload.Ids;
import org.stage.api.workload.Node;
import org.stage.api.workload.Phase;
import org.stage.instantiate.Program.Instruction;
import org.stage.instantiate.Program.Variable;
import org.stage.parallel.Value;

/**
 * A module of a stage while a graph is built: copies its programs into it, micro-batch by
 * micro-batch.
 */
final class UnitInstance {
  private final UnitStates states;
  private final UnitPlan plan;
  private final GraphWriter graph;

  /** By micro-batch in flight: where the variables of its forward pass are. */
  private final Map<Integer, Handle[]> running = new HashMap<>();

  /** By micro-batch whose backward pass has begun. */
  private final Map<Integer, Run> halfDone = new HashMap<>();

  /** What it keeps between its passes, where that lies in host memory. */
  private final Optional<OffloadedActivations> offloaded;

  private @Nullable BackwardSplit split;

  /** A backward pass under way: where the variables of the forward pass and its own are. */
  private static final class Run {
    private final Handle[] saved;
    private final Handle[] gradients;

    Run(Handle[] saved, Handle[] gradients) {
      this.saved = saved;
      this.gradients = gradients;
    }
  }

  UnitInstance(UnitStates states, GraphWriter graph, boolean offloads) {
    this.states = states;
    this.plan = states.plan();
    this.graph = graph;
    this.offloaded =
        offloads ? Optional.of(new OffloadedActivations(states, graph)) : Optional.empty();
  }

  /** Parameters, gradients and optimizer states. */
  UnitStates states() {
    return states;
  }

  /** Steps that add a forward pass; {@code relay} has the output of the module before. */
  void forward(int microBatch, Relay relay, Steps steps) {
    Handle[] run = new Handle[plan.forward().variables().size()];
    steps.add(
        () -> {
          running.put(microBatch, run);
          begin(plan.forward(), run, run, microBatch, relay.at());
        });
    Stretch pass = new Stretch(microBatch, Phase.FORWARD, -1, -1);
    for (Instruction instruction : plan.forward().instructions()) {
      steps.add(instruction, () -> emit(plan.forward(), run, instruction, pass));
    }
    steps.add(() -> relay.set(output(plan.forward(), run)));
    steps.add(() -> offloaded.ifPresent(away -> away.store(microBatch, run)));
  }

  /** Brings back what its backward pass reads, if it was taken away. */
  void reload(int microBatch) {
    offloaded.ifPresent(
        away -> {
          Handle[] run = running.get(microBatch);
          if (run != null) {
            away.load(microBatch, run);
          }
        });
  }

  /** Steps that add a backward pass; {@code relay} has the gradient of the output. */
  void backward(int microBatch, Relay relay, Steps steps) {
    backward(microBatch, plan.backward().instructions(), relay, steps);
    steps.add(() -> halfDone.remove(microBatch));
  }

  /** The same for the part that the module before waits for. */
  void inputGradients(int microBatch, Relay relay, Steps steps) {
    backward(microBatch, split().inputGradients(), relay, steps);
  }

  /** Steps that add the rest of a backward pass. */
  void weightGradients(int microBatch, Steps steps) {
    Stretch pass = new Stretch(microBatch, Phase.BACKWARD, -1, -1);
    for (Instruction instruction : split().weightGradients()) {
      steps.add(
          instruction,
          () -> emit(plan.backward(), halfDone(microBatch).gradients, instruction, pass));
    }
    steps.add(() -> halfDone.remove(microBatch));
  }

  private BackwardSplit split() {
    split = split == null ? BackwardSplit.of(plan.backward()) : split;
    return split;
  }

  private Run halfDone(int microBatch) {
    Run run = halfDone.get(microBatch);
    if (run == null) {
      throw new IllegalStateException(states.name() + ": nothing is left of " + microBatch);
    }
    return run;
  }

  private void backward(int microBatch, List<Instruction> instructions, Relay relay, Steps steps) {
    steps.add(() -> beginBackward(microBatch, relay.at()));
    Stretch pass = new Stretch(microBatch, Phase.BACKWARD, -1, -1);
    boolean recomputed = plan.again().instructions().isEmpty();
    for (Instruction instruction : instructions) {
      if (!recomputed && instruction.reads().stream().anyMatch(this::isReplaced)) {
        recompute(microBatch, relay, steps);
        recomputed = true;
      }
      steps.add(
          instruction,
          () -> emit(plan.backward(), halfDone(microBatch).gradients, instruction, pass));
    }
    if (!recomputed) {
      recompute(microBatch, relay, steps);
    }
    steps.add(() -> relay.set(output(plan.backward(), halfDone(microBatch).gradients)));
  }

  private void beginBackward(int microBatch, Handle gradient) {
    Handle[] saved = running.remove(microBatch);
    if (saved == null) {
      throw new IllegalStateException(states.name() + ": backward before forward of " + microBatch);
    }
    Handle[] run = new Handle[plan.backward().variables().size()];
    begin(plan.backward(), run, saved, microBatch, gradient);
    halfDone.put(microBatch, new Run(saved, run));
  }

  /** Whether a variable of the backward program is one that the forward program makes again. */
  private boolean isReplaced(int variable) {
    Value.Source source = plan.backward().variables().get(plan.backward().root(variable)).source();
    return source instanceof Value.Source.Saved from
        && plan.again().replaces(plan.forward(), from.value());
  }

  /**
   * Steps that run part of the forward program again, and let the backward program read its
   * results.
   */
  private void recompute(int microBatch, Relay relay, Steps steps) {
    Handle[] again = new Handle[plan.forward().variables().size()];
    Stretch[] pass = new Stretch[1];
    steps.add(
        () -> {
          pass[0] = new Stretch(microBatch, Phase.RECOMPUTE, relay.at().node(), graph.next());
          beginAgain(again, halfDone(microBatch).saved);
        });
    for (Instruction instruction : plan.again().instructions()) {
      steps.add(instruction, () -> emit(plan.forward(), again, instruction, pass[0]));
    }
    steps.add(() -> replace(halfDone(microBatch).gradients, again));
  }

  private void beginAgain(Handle[] again, Handle[] saved) {
    for (int v = 0; v < again.length; v++) {
      again[v] = saved[v];
      Variable variable = plan.forward().variables().get(v);
      if (variable.source() instanceof Value.Source.Given) {
        // Parameters may stand in another buffer by now.
        again[v] = states.find(variable.tensor()).map(Parameter::at).orElse(again[v]);
      }
    }
  }

  private void replace(Handle[] run, Handle[] again) {
    for (int v = 0; v < run.length; v++) {
      if (isReplaced(v) && plan.backward().root(v) == v) {
        Value.Source.Saved from = (Value.Source.Saved) plan.backward().variables().get(v).source();
        run[v] = again[plan.forward().root(from.value())];
      }
    }
  }

  private void begin(
      Program program, Handle[] run, Handle[] saved, int microBatch, Handle neighbour) {
    String prefix = prefix(microBatch);
    for (int v = 0; v < run.length; v++) {
      run[v] = outside(program.variables().get(v), saved, prefix, neighbour);
    }
  }

  private static Handle output(Program program, Handle[] run) {
    return program.outputs().entrySet().stream()
        .filter(output -> !program.variables().get(output.getValue()).isGradient())
        .map(output -> run[program.root(output.getValue())])
        .findFirst()
        .orElse(Handle.NONE);
  }

  private String prefix(int microBatch) {
    return "mb" + microBatch + "." + states.name() + ".";
  }

  /** Where a variable is that the program does not write itself. */
  private Handle outside(Variable variable, Handle[] saved, String prefix, Handle neighbour) {
    if (variable.source() instanceof Value.Source.Saved from) {
      return saved[plan.forward().root(from.value())];
    }
    if (variable.source() instanceof Value.Source.Neighbour) {
      return neighbour;
    }
    if (variable.source() instanceof Value.Source.Given) {
      return states
          .find(variable.tensor())
          .map(Parameter::at)
          .orElseGet(
              () -> new Handle(-1, graph.tensor(prefix + variable.name(), variable.bytes())));
    }
    return Handle.NONE;
  }

  private void emit(Program program, Handle[] run, Instruction instruction, Stretch pass) {
    String prefix = prefix(pass.microBatch());
    if (instruction instanceof Instruction.Shift shift) {
      new RingTurn(graph, prefix, pass.suffix(), pass.phase()).add(shift, program, run);
      return;
    }
    IntStream.Builder deps = IntStream.builder();
    IntStream.Builder reads = IntStream.builder();
    IntStream.Builder writes = IntStream.builder();
    for (int read : instruction.reads()) {
      Handle at = run[program.root(read)];
      deps.add(at.node());
      reads.add(at.tensor());
    }
    int node = graph.next();
    for (int written : instruction.writes()) {
      Variable variable = program.variables().get(written);
      int tensor;
      if (variable.isGradient()) {
        Parameter parameter = states.parameter(variable.parameter());
        deps.add(parameter.gradientNode());
        parameter.gradient().stream().forEach(reads::add);
        tensor = parameter.accumulate(graph, node, variable.bytes());
      } else {
        tensor = graph.tensor(prefix + variable.name() + pass.suffix(), variable.bytes());
      }
      run[written] = new Handle(node, tensor);
      writes.add(tensor);
    }
    int[] dataDeps = deps.build().filter(dep -> dep >= 0).toArray();
    Ids read = Ids.sorted(reads.build());
    graph.add(node(instruction, pass, dataDeps, read, Ids.sorted(writes.build())));
  }

  private Node node(Instruction instruction, Stretch pass, int[] deps, Ids reads, Ids writes) {
    boolean kernel = instruction instanceof Instruction.Kernel;
    Ids control = kernel ? graph.turnDeps(IntStream.of(deps)) : Ids.NONE;
    if (kernel && pass.waits(deps)) {
      control = Ids.sorted(IntStream.concat(control.stream(), IntStream.of(pass.after())));
    }
    String name = prefix(pass.microBatch()) + instruction.name() + pass.suffix();
    Node.Header header =
        graph.header(
            name,
            pass.phase(),
            IntStream.of(deps),
            control,
            reads,
            writes,
            GraphWriter.lasting(instruction.durationNs()));
    if (instruction instanceof Instruction.Transfer transfer) {
      return new Node.Collective(
          header, transfer.kind(), transfer.elements(), transfer.type(), transfer.group());
    }
    Instruction.Kernel work = (Instruction.Kernel) instruction;
    return new Node.Compute(
        header,
        work.operator(),
        work.shape(),
        work.flops(),
        work.otherFlops(),
        work.bytesRead(),
        work.bytesWritten());
  }
}
