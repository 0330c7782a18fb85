package org.stage.instantiate;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
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
    return execute(plan.forward(), run, run, microBatch, input, Phase.FORWARD);
  }

  /** Adds a backward pass; {@code gradient} is that of the output. Returns that of the input. */
  Handle backward(int microBatch, Handle gradient) {
    Handle[] saved = running.remove(microBatch);
    if (saved == null) {
      throw new IllegalStateException(states.name() + ": backward before forward of " + microBatch);
    }
    Handle[] run = new Handle[plan.backward().variables().size()];
    return execute(plan.backward(), run, saved, microBatch, gradient, Phase.BACKWARD);
  }

  private Handle execute(
      Program program,
      Handle[] run,
      Handle[] saved,
      int microBatch,
      Handle neighbour,
      Phase phase) {
    String prefix = "mb" + microBatch + "." + states.name() + ".";
    for (int v = 0; v < run.length; v++) {
      run[v] = outside(program.variables().get(v), saved, prefix, neighbour);
    }
    for (Instruction instruction : program.instructions()) {
      emit(program, run, instruction, prefix, phase);
    }
    return program.outputs().entrySet().stream()
        .filter(output -> !program.variables().get(output.getValue()).isGradient())
        .map(output -> run[program.root(output.getValue())])
        .findFirst()
        .orElse(Handle.NONE);
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

  private void emit(
      Program program, Handle[] run, Instruction instruction, String prefix, Phase phase) {
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
        tensor = graph.tensor(prefix + variable.name(), variable.bytes());
      }
      run[written] = new Handle(node, tensor);
      writes.add(tensor);
    }
    int[] dataDeps = deps.build().filter(dep -> dep >= 0).toArray();
    Ids read = Ids.sorted(reads.build());
    graph.add(node(instruction, prefix, phase, dataDeps, read, Ids.sorted(writes.build())));
  }

  private Node node(
      Instruction instruction, String prefix, Phase phase, int[] deps, Ids reads, Ids writes) {
    boolean kernel = instruction instanceof Instruction.Kernel;
    Ids control = kernel ? graph.turnDeps(IntStream.of(deps)) : Ids.NONE;
    Node.Header header =
        graph.header(
            prefix + instruction.name(), phase, IntStream.of(deps), control, reads, writes);
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
