package org.stage.instantiate;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.stage.backward.Recomputation;
import org.stage.instantiate.Program.Instruction;
import org.stage.parallel.PlacedModule;
import org.stage.parallel.Step;

/**
 * The part of a forward program that runs again in backward.
 *
 * @param instructions in order; collectives included
 * @param replaced variables of the forward program that are not kept, as they are made again
 */
public record Again(List<Instruction> instructions, Set<Integer> replaced) {
  /** Copies both. */
  public Again {
    instructions = List.copyOf(instructions);
    replaced = Set.copyOf(replaced);
  }

  /** Picks the kernels, and the collectives on what they write. */
  static Again of(Program forward, PlacedModule placed, Recomputation recomputation) {
    List<Instruction> instructions = new ArrayList<>();
    Set<Integer> written = new HashSet<>();
    for (int i = 0; i < placed.steps().size(); i++) {
      Instruction instruction = forward.instructions().get(i);
      if (runsAgain(placed.steps().get(i), instruction, forward, recomputation, written)) {
        instructions.add(instruction);
        written.addAll(instruction.writes());
      }
    }
    Set<Integer> replaced = new HashSet<>();
    for (int variable : written) {
      if (recomputation.tensors().contains(forward.variables().get(variable).tensor())) {
        replaced.add(variable);
      }
    }
    return new Again(instructions, replaced);
  }

  private static boolean runsAgain(
      Step step,
      Instruction instruction,
      Program forward,
      Recomputation recomputation,
      Set<Integer> written) {
    if (step instanceof Step.Kernel kernel) {
      return recomputation.operators().contains(kernel.origin());
    }
    if (step instanceof Step.Shift shift) {
      return recomputation.operators().contains(shift.origin());
    }
    return written.contains(forward.root(instruction.reads().get(0)));
  }

  /** The same with each instruction changed. */
  public Again with(UnaryOperator<Instruction> change) {
    return new Again(instructions.stream().map(change).toList(), replaced);
  }

  /** Whether a variable of the forward program is made again. */
  public boolean replaces(Program forward, int variable) {
    return replaced.contains(forward.root(variable));
  }
}
