package org.stage.analyze;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.stage.arithmetic.Sums;
import org.stage.operator.OperatorRule;
import org.stage.operator.OperatorRules;
import org.stage.parallel.Value;
import org.stage.plan.Instruction;
import org.stage.plan.Program;
import org.stage.plan.Program.Variable;
import org.stage.plan.UnitPlan;
import org.stage.state.Moment;
import org.stage.state.Work;

/**
 * The lifetimes of the tensors of a program: each is there from the instruction that writes it to
 * the last that reads it. What passes between modules counts with its consumer. A collective runs
 * beside the kernels behind it, so what it moves stays until its result is waited for.
 *
 * @param program the program, or a part of one
 * @param operators what is known of its operators
 * @param arriving variables that are there before
 * @param staying variables that are needed afterwards
 * @param gradientBytes bytes an element of the buffer into which a kernel puts a weight gradient
 *     before it is added to the accumulated one; 0 if it accumulates in place
 */
record Lifetimes(
    Program program,
    OperatorRules operators,
    Set<Integer> arriving,
    Set<Integer> staying,
    int gradientBytes) {

  /** Those of a forward pass, of which stays what is kept. */
  static Lifetimes ofForward(UnitPlan unit, OperatorRules operators) {
    Program program = unit.forward();
    Set<Integer> arriving = new HashSet<>();
    for (int v = 0; v < program.variables().size(); v++) {
      if (program.variables().get(v).source() instanceof Value.Source.Neighbour) {
        arriving.add(v);
      }
    }
    Set<Integer> staying = new HashSet<>(unit.kept());
    staying.addAll(leaving(program));
    return new Lifetimes(program, operators, arriving, staying, 0);
  }

  static Set<Integer> leaving(Program program) {
    Set<Integer> leaving = new HashSet<>();
    program.outputs().values().forEach(output -> leaving.add(program.root(output)));
    return leaving;
  }

  /** Most bytes alive. */
  long peak() {
    List<Instruction> instructions = program.instructions();
    Map<Integer, Integer> lastUse = new HashMap<>();
    for (int i = 0; i < instructions.size(); i++) {
      for (int touched : touched(instructions.get(i))) {
        lastUse.put(touched, i);
      }
    }
    Map<Integer, Integer> awaited = awaited();
    long alive = bytes(arriving);
    long peak = alive;
    for (int i = 0; i < instructions.size(); i++) {
      int at = i;
      Instruction instruction = instructions.get(i);
      Set<Integer> sent = new HashSet<>(awaited.keySet());
      sent.removeIf(
          v ->
              awaited.getOrDefault(v, -1) != at
                  || lastUse.getOrDefault(v, at) >= at
                  || !isFreed(v));
      alive -= bytes(sent);
      alive = Math.addExact(alive, bytes(new HashSet<>(instruction.writes())));
      Set<Integer> dying = touched(instruction);
      dying.removeIf(v -> lastUse.getOrDefault(v, -1) != at || !isFreed(v));
      dying.removeIf(v -> awaited.getOrDefault(v, -1) > at);
      peak = Math.max(peak, alive - bytes(replaced(instruction, dying)));
      alive -= bytes(dying);
    }
    return peak;
  }

  /**
   * Of each variable that a collective moves, the instruction that waits for the last such
   * collective: the first that reads its result. What runs again is waited for at once.
   */
  private Map<Integer, Integer> awaited() {
    Map<Integer, Integer> awaited = new HashMap<>();
    Map<Integer, Integer> readers = new HashMap<>();
    List<Instruction> instructions = program.instructions();
    for (int i = instructions.size() - 1; i >= 0; i--) {
      Instruction each = instructions.get(i);
      if (each.work() instanceof Work.Transfer && each.moment() != Moment.RECOMPUTATION) {
        for (int written : each.writes()) {
          Integer reader = readers.get(program.root(written));
          if (reader != null) {
            each.reads().forEach(read -> awaited.merge(program.root(read), reader, Math::max));
          }
        }
      }
      for (int read : each.reads()) {
        readers.put(program.root(read), i);
      }
    }
    return awaited;
  }

  private Set<Integer> touched(Instruction instruction) {
    Set<Integer> touched = new HashSet<>(instruction.writes());
    instruction.reads().forEach(read -> touched.add(program.root(read)));
    return touched;
  }

  /** The input over which the instruction writes, if none after it reads that. */
  private Set<Integer> replaced(Instruction instruction, Set<Integer> dying) {
    boolean inPlace =
        instruction.work() instanceof Work.Kernel kernel
            && operators.find(kernel.operator()).map(OperatorRule::worksInPlace).orElse(false);
    int first = inPlace ? program.root(instruction.reads().get(0)) : -1;
    return dying.contains(first) ? Set.of(first) : Set.of();
  }

  private boolean isFreed(int v) {
    Variable variable = program.variables().get(v);
    return (variable.isGradient() || !staying.contains(v)) && !variable.isGiven();
  }

  /** Accumulated gradients are there all the time; only a buffer before them comes and goes. */
  long bytes(Set<Integer> variables) {
    return Sums.of(
        variables.stream()
            .map(program.variables()::get)
            .mapToLong(
                variable ->
                    variable.isGradient()
                        ? Math.multiplyExact(variable.elements(), gradientBytes)
                        : variable.bytes()));
  }
}
