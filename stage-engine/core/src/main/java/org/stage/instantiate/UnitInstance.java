package org.stage.instantiate;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
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
  private final String name;
  private final UnitPlan plan;
  private final GraphWriter graph;
  private final Map<String, Parameter> parameters = new LinkedHashMap<>();

  /** By micro-batch in flight: where the variables of its forward pass are. */
  private final Map<Integer, Handle[]> running = new HashMap<>();

  UnitInstance(String name, UnitPlan plan, long bytesPerElement, GraphWriter graph) {
    this.name = name;
    this.plan = plan;
    this.graph = graph;
    plan.parameters()
        .forEach(
            (parameter, elements) -> {
              String full = name + "." + parameter;
              int tensor = graph.tensor(full, elements * bytesPerElement);
              parameters.put(parameter, new Parameter(full, tensor));
            });
  }

  /** Uses a parameter of another module of the stage as its own {@code as}. */
  void borrow(String as, Parameter parameter) {
    parameters.putIfAbsent(as, parameter);
  }

  Parameter parameter(String parameter) {
    Parameter found = parameters.get(parameter);
    if (found == null) {
      throw new IllegalStateException(name + " has no parameter " + parameter);
    }
    return found;
  }

  /** The parameters that it owns. */
  List<Parameter> owned() {
    return plan.parameters().keySet().stream().map(this::parameter).toList();
  }

  String name() {
    return name;
  }

  UnitPlan plan() {
    return plan;
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
      throw new IllegalStateException(name + ": backward before forward of " + microBatch);
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
    String prefix = "mb" + microBatch + "." + name + ".";
    for (int v = 0; v < run.length; v++) {
      run[v] = outside(program.variables().get(v), saved, prefix, neighbour);
    }
    for (Instruction instruction : program.instructions()) {
      emit(program, run, instruction, prefix, phase);
    }
    return program.outputs().entrySet().stream()
        .filter(output -> !program.variables().get(output.getValue()).gradient())
        .map(output -> run[program.root(output.getValue())])
        .findFirst()
        .orElse(NONE);
  }

  private static final Handle NONE = new Handle(-1, -1);

  /** Where a variable is that the program does not write itself. */
  private Handle outside(Variable variable, Handle[] saved, String prefix, Handle neighbour) {
    if (variable.source() instanceof Value.Source.Saved from) {
      return saved[plan.forward().root(from.value())];
    }
    if (variable.source() instanceof Value.Source.Neighbour) {
      return neighbour;
    }
    if (variable.source() instanceof Value.Source.Given) {
      Parameter parameter = parameters.get(variable.tensor());
      int tensor =
          parameter == null
              ? graph.tensor(prefix + variable.name(), variable.bytes())
              : parameter.tensor();
      return new Handle(-1, tensor);
    }
    return NONE;
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
      if (variable.gradient()) {
        Parameter parameter = parameter(variable.tensor().replaceFirst("\\.grad$", ""));
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
