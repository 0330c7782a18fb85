package org.stage.instantiate;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.stage.api.workload.Details;
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

  /**
   * What a stretch of instructions belongs to.
   *
   * @param microBatch its micro-batch
   * @param phase its phase
   * @param after the node for which those kernels wait that need nothing of the stretch, or -1:
   *     else all layers would recompute as soon as the turn begins
   * @param from the first node of the stretch
   */
  private record Pass(int microBatch, Phase phase, int after, int from) {
    boolean waits(int[] deps) {
      return after >= 0 && IntStream.of(deps).noneMatch(dep -> dep >= from);
    }

    String suffix() {
      return phase == Phase.RECOMPUTE ? ".recompute" : "";
    }
  }

  UnitInstance(UnitStates states, GraphWriter graph) {
    this.states = states;
    this.plan = states.plan();
    this.graph = graph;
  }

  /** Parameters, gradients and optimizer states. */
  UnitStates states() {
    return states;
  }

  /** Adds a forward pass; {@code input} is the output of the module before. */
  Handle forward(int microBatch, Handle input) {
    Handle[] run = new Handle[plan.forward().variables().size()];
    running.put(microBatch, run);
    begin(plan.forward(), run, run, microBatch, input);
    Pass pass = new Pass(microBatch, Phase.FORWARD, -1, -1);
    for (Instruction instruction : plan.forward().instructions()) {
      emit(plan.forward(), run, instruction, pass);
    }
    return output(plan.forward(), run);
  }

  /** Adds a backward pass; {@code gradient} is that of the output. Returns that of the input. */
  Handle backward(int microBatch, Handle gradient) {
    Handle[] saved = running.remove(microBatch);
    if (saved == null) {
      throw new IllegalStateException(states.name() + ": backward before forward of " + microBatch);
    }
    Handle[] run = new Handle[plan.backward().variables().size()];
    begin(plan.backward(), run, saved, microBatch, gradient);
    Pass pass = new Pass(microBatch, Phase.BACKWARD, -1, -1);
    boolean recomputed = plan.again().instructions().isEmpty();
    for (Instruction instruction : plan.backward().instructions()) {
      if (!recomputed && instruction.reads().stream().anyMatch(this::isReplaced)) {
        int start = graph.next();
        recompute(run, saved, new Pass(microBatch, Phase.RECOMPUTE, gradient.node(), start));
        recomputed = true;
      }
      emit(plan.backward(), run, instruction, pass);
    }
    return output(plan.backward(), run);
  }

  /** Whether a variable of the backward program is one that the forward program makes again. */
  private boolean isReplaced(int variable) {
    Value.Source source = plan.backward().variables().get(plan.backward().root(variable)).source();
    return source instanceof Value.Source.Saved from
        && plan.again().replaces(plan.forward(), from.value());
  }

  /** Runs part of the forward program again, and lets the backward program read its results. */
  private void recompute(Handle[] run, Handle[] saved, Pass pass) {
    Handle[] again = saved.clone();
    for (int v = 0; v < again.length; v++) {
      Variable variable = plan.forward().variables().get(v);
      if (variable.source() instanceof Value.Source.Given) {
        // Parameters may stand in another buffer by now.
        again[v] = states.find(variable.tensor()).map(Parameter::at).orElse(again[v]);
      }
    }
    for (Instruction instruction : plan.again().instructions()) {
      emit(plan.forward(), again, instruction, pass);
    }
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

  private void emit(Program program, Handle[] run, Instruction instruction, Pass pass) {
    if (instruction instanceof Instruction.Shift shift) {
      shift(program, run, shift, pass);
      return;
    }
    String prefix = prefix(pass.microBatch());
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

  /**
   * Every rank sends at once, so each posts its receive before: as soon as the kernel before is
   * done, which is the one that frees a buffer where two serve in turn.
   */
  private void shift(Program program, Handle[] run, Instruction.Shift shift, Pass pass) {
    String prefix = prefix(pass.microBatch());
    int tag = graph.nextTag();
    int frees = graph.lastKernel();
    int received = graph.next();
    IntStream.Builder writes = IntStream.builder();
    for (int written : shift.writes()) {
      Variable variable = program.variables().get(written);
      int tensor = graph.tensor(prefix + variable.name() + pass.suffix(), variable.bytes());
      writes.add(tensor);
      run[written] = new Handle(received, tensor);
    }
    Node.Header recv =
        graph.header(
            prefix + shift.name() + ".recv" + pass.suffix(),
            pass.phase(),
            IntStream.empty(),
            frees < 0 ? Ids.NONE : Ids.of(frees),
            Ids.NONE,
            Ids.sorted(writes.build()),
            Details.NONE);
    graph.add(new Node.Recv(recv, shift.axis(), -1, shift.elements(), shift.type(), tag));
    int[] deps = shift.reads().stream().mapToInt(v -> run[program.root(v)].node()).toArray();
    int[] reads = shift.reads().stream().mapToInt(v -> run[program.root(v)].tensor()).toArray();
    Node.Header send =
        graph.header(
            prefix + shift.name() + ".send" + pass.suffix(),
            pass.phase(),
            IntStream.of(deps),
            Ids.NONE,
            Ids.sorted(IntStream.of(reads)),
            Ids.NONE,
            GraphWriter.lasting(shift.durationNs()));
    graph.add(new Node.Send(send, shift.axis(), 1, shift.elements(), shift.type(), tag));
  }

  private Node node(Instruction instruction, Pass pass, int[] deps, Ids reads, Ids writes) {
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
