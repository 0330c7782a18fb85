package org.stage.analyze;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.stage.arithmetic.Sums;
import org.stage.instantiate.BackwardSplit;
import org.stage.instantiate.Program;
import org.stage.instantiate.Program.Instruction;
import org.stage.instantiate.Program.Variable;
import org.stage.instantiate.UnitPlan;
import org.stage.parallel.Value;

/**
 * Activation memory of one module for one micro-batch whose backward pass is split, from the
 * lifetimes of its tensors.
 *
 * @param inputsPeak most bytes alive while gradients of activations are made, what was kept from
 *     the forward pass included
 * @param kept bytes that stay from then on for the gradients of weights
 * @param weightsPeak most bytes alive while those are made, what was kept included
 */
record SplitMemory(long inputsPeak, long kept, long weightsPeak) {
  /**
   * The memory of a module.
   *
   * @param gradientBytes bytes an element of the buffer into which a kernel puts a weight gradient
   *     before it is added to the accumulated one; 0 if it accumulates in place
   */
  static SplitMemory of(UnitPlan unit, int gradientBytes) {
    Program backward = unit.backward();
    BackwardSplit split = BackwardSplit.of(backward);
    Set<Integer> arriving = new HashSet<>();
    for (int v = 0; v < backward.variables().size(); v++) {
      Value.Source source = backward.variables().get(v).source();
      if (source instanceof Value.Source.Neighbour || source instanceof Value.Source.Saved) {
        arriving.add(v);
      }
    }
    Set<Integer> staying = new HashSet<>(split.kept());
    backward.outputs().values().forEach(output -> staying.add(backward.root(output)));
    Part inputs = new Part(backward, split.inputGradients(), arriving, staying, gradientBytes);
    Part weights =
        new Part(backward, split.weightGradients(), split.kept(), Set.of(), gradientBytes);
    return new SplitMemory(inputs.peak(), inputs.bytes(split.kept()), weights.peak());
  }

  /**
   * Instructions of a program.
   *
   * @param arriving variables that are there before
   * @param staying variables that are needed afterwards
   */
  private record Part(
      Program program,
      List<Instruction> instructions,
      Set<Integer> arriving,
      Set<Integer> staying,
      int gradientBytes) {
    long peak() {
      Map<Integer, Integer> lastUse = new HashMap<>();
      for (int i = 0; i < instructions.size(); i++) {
        for (int touched : touched(instructions.get(i))) {
          lastUse.put(touched, i);
        }
      }
      long alive = bytes(arriving);
      long peak = alive;
      for (int i = 0; i < instructions.size(); i++) {
        int at = i;
        Instruction instruction = instructions.get(i);
        alive = Math.addExact(alive, bytes(Set.copyOf(instruction.writes())));
        Set<Integer> dying = touched(instruction);
        dying.removeIf(v -> lastUse.getOrDefault(v, -1) != at || !isFreed(v));
        Set<Integer> replaced = new HashSet<>();
        if (InPlace.is(instruction)) {
          replaced.add(program.root(instruction.reads().get(0)));
          replaced.retainAll(dying);
        }
        peak = Math.max(peak, alive - bytes(replaced));
        alive -= bytes(dying);
      }
      return peak;
    }

    private Set<Integer> touched(Instruction instruction) {
      Set<Integer> touched = new HashSet<>(instruction.writes());
      instruction.reads().forEach(read -> touched.add(program.root(read)));
      return touched;
    }

    private boolean isFreed(int v) {
      Variable variable = program.variables().get(v);
      return (variable.isGradient() || !staying.contains(v))
          && !(variable.source() instanceof Value.Source.Given);
    }

    /** Accumulated gradients are there all the time; only a buffer before them comes and goes. */
    private long bytes(Set<Integer> variables) {
      return Sums.of(variables.stream().map(program.variables()::get).mapToLong(this::bytes));
    }

    private long bytes(Variable variable) {
      return variable.isGradient()
          ? Math.multiplyExact(variable.elements(), gradientBytes)
          : variable.bytes();
    }
  }
}
