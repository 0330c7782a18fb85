package org.stage.instantiate;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.stage.api.workload.Node.Collective;
import org.stage.backward.Recomputation;
import org.stage.instantiate.Program.Instruction;
import org.stage.parallel.PlacedModule;

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

  /**
   * Picks the kernels; and of the collectives on what they write those that complete a sum, which
   * belong to the kernel before, and those whose result a kernel reads that runs again.
   */
  static Again of(Program forward, PlacedModule placed, Recomputation recomputation) {
    Set<Integer> needed = needed(forward, placed, recomputation);
    List<Instruction> instructions = new ArrayList<>();
    Set<Integer> written = new HashSet<>();
    for (int i = 0; i < placed.steps().size(); i++) {
      Instruction instruction = forward.instructions().get(i);
      boolean again =
          instruction instanceof Instruction.Transfer move
              ? written.contains(forward.root(move.reads().get(0)))
                  && (isSum(move) || needed.contains(move.writes().get(0)))
              : recomputation.operators().contains(placed.steps().get(i).origin());
      if (again) {
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

  private static boolean isSum(Instruction.Transfer move) {
    return move.kind() == Collective.Kind.ALL_REDUCE
        || move.kind() == Collective.Kind.REDUCE_SCATTER;
  }

  /** What the kernels that run again read, directly or through collectives. */
  private static Set<Integer> needed(
      Program forward, PlacedModule placed, Recomputation recomputation) {
    Set<Integer> needed = new HashSet<>();
    for (int i = placed.steps().size() - 1; i >= 0; i--) {
      Instruction instruction = forward.instructions().get(i);
      boolean passesOn =
          instruction instanceof Instruction.Transfer
              && needed.contains(instruction.writes().get(0));
      if (passesOn || recomputation.operators().contains(placed.steps().get(i).origin())) {
        instruction.reads().forEach(read -> needed.add(forward.root(read)));
      }
    }
    return needed;
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
