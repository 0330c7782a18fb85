package org.stage.analyze;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.stage.arithmetic.Sums;
import org.stage.instantiate.Program;
import org.stage.instantiate.Program.Instruction;
import org.stage.instantiate.Program.Variable;
import org.stage.instantiate.UnitPlan;
import org.stage.parallel.Value;

/**
 * Activation memory of one module for one micro-batch, from the lifetimes of its tensors: each is
 * there from the instruction that writes it to the last that reads it. What passes between modules
 * counts with its consumer.
 *
 * @param forwardPeak most bytes alive during a forward pass, its input included
 * @param kept bytes that stay for the backward pass, its input included where that is read again
 * @param backwardPeak most bytes alive during a backward pass, what was kept included
 */
record UnitMemory(long forwardPeak, long kept, long backwardPeak) {
  /**
   * The memory of a module.
   *
   * @param gradientBytes bytes an element of the buffer into which a kernel puts a weight gradient
   *     before it is added to the accumulated one; 0 if it accumulates in place
   */
  static UnitMemory of(UnitPlan unit, int gradientBytes) {
    Program forward = unit.forward();
    Program backward = unit.backward();
    Set<Integer> saved = unit.kept();
    long kept = Sums.of(saved.stream().mapToLong(root -> forward.variables().get(root).bytes()));
    long forwardPeak = new Lifetimes(forward, saved, 0).peak();
    long backwardPeak = new Lifetimes(backward, Set.of(), gradientBytes).peak();
    return new UnitMemory(forwardPeak, kept, backwardPeak);
  }

  /** Runs a program instruction by instruction, adding up what is alive. */
  private static final class Lifetimes {
    private final Program program;
    private final Set<Integer> survivors = new HashSet<>();
    private final Map<Integer, Integer> lastUse = new HashMap<>();
    private final int gradientBytes;

    Lifetimes(Program program, Set<Integer> saved, int gradientBytes) {
      this.program = program;
      this.gradientBytes = gradientBytes;
      survivors.addAll(saved);
      program.outputs().values().forEach(output -> survivors.add(program.root(output)));
      for (int i = 0; i < program.instructions().size(); i++) {
        Instruction instruction = program.instructions().get(i);
        for (int read : instruction.reads()) {
          lastUse.put(program.root(read), i);
        }
        for (int written : instruction.writes()) {
          lastUse.put(written, i);
        }
      }
    }

    long peak() {
      long alive = 0;
      for (int v = 0; v < program.variables().size(); v++) {
        Value.Source source = program.variables().get(v).source();
        boolean comesIn =
            source instanceof Value.Source.Neighbour || source instanceof Value.Source.Saved;
        alive = Math.addExact(alive, comesIn ? bytes(v) : 0);
      }
      long peak = alive;
      for (int i = 0; i < program.instructions().size(); i++) {
        Instruction instruction = program.instructions().get(i);
        long dying = dying(instruction, i);
        long replaced = replaced(instruction, i);
        for (int written : instruction.writes()) {
          alive = Math.addExact(alive, bytes(written));
        }
        peak = Math.max(peak, alive - replaced);
        alive -= dying;
      }
      return peak;
    }

    /** Bytes of the input over which the instruction writes, if none after it reads that. */
    private long replaced(Instruction instruction, int at) {
      if (!InPlace.is(instruction)) {
        return 0;
      }
      int first = program.root(instruction.reads().get(0));
      return lastUse.getOrDefault(first, -1) == at && isFreed(first) ? bytes(first) : 0;
    }

    /** Bytes of what the instruction touches and none after it does. */
    private long dying(Instruction instruction, int at) {
      Set<Integer> touched = new HashSet<>(instruction.writes());
      instruction.reads().forEach(read -> touched.add(program.root(read)));
      return Sums.of(
          touched.stream()
              .filter(v -> lastUse.getOrDefault(v, -1) == at && isFreed(v))
              .mapToLong(this::bytes));
    }

    private boolean isFreed(int v) {
      boolean gradient = program.variables().get(v).isGradient();
      return (gradient || !survivors.contains(v))
          && !(program.variables().get(v).source() instanceof Value.Source.Given);
    }

    /** Accumulated gradients are there all the time; only a buffer before them comes and goes. */
    private long bytes(int v) {
      Variable variable = program.variables().get(v);
      return variable.isGradient()
          ? Math.multiplyExact(variable.elements(), gradientBytes)
          : variable.bytes();
    }
  }
}
