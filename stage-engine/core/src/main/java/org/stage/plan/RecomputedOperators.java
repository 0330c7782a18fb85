package org.stage.plan;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.stage.api.workload.Node.Collective;
import org.stage.backward.Recomputation;
import org.stage.parallel.PlacedModule;
import org.stage.state.Moment;
import org.stage.state.Work;

/**
 * The part of a forward program that runs again in backward.
 *
 * @param instructions in order; collectives included
 * @param replaced variables of the forward program that are not kept, as they are made again
 */
public record RecomputedOperators(List<Instruction> instructions, Set<Integer> replaced) {
  /** Copies both. */
  public RecomputedOperators {
    instructions = List.copyOf(instructions);
    replaced = Set.copyOf(replaced);
  }

  /**
   * Picks the kernels; and of the collectives on what they write those that complete a sum, which
   * belong to the kernel before, and those whose result a kernel reads that runs again.
   */
  static RecomputedOperators of(Program forward, PlacedModule placed, Recomputation recomputation) {
    Set<Integer> needed = needed(forward, placed, recomputation);
    List<Instruction> instructions = new ArrayList<>();
    Set<Integer> written = new HashSet<>();
    for (int i = 0; i < placed.steps().size(); i++) {
      Instruction instruction = forward.instructions().get(i);
      boolean again =
          instruction.work() instanceof Work.Transfer move
              ? written.contains(forward.root(instruction.reads().get(0)))
                  && (isSum(move) || needed.contains(instruction.writes().get(0)))
              : recomputation.operators().contains(placed.steps().get(i).origin());
      if (again) {
        instructions.add(instruction.at(Moment.RECOMPUTATION));
        written.addAll(instruction.writes());
      }
    }
    Set<Integer> replaced = new HashSet<>();
    for (int variable : written) {
      if (recomputation.tensors().contains(forward.variables().get(variable).tensor())) {
        replaced.add(variable);
      }
    }
    return new RecomputedOperators(instructions, replaced);
  }

  /** Whether an instruction of the forward program runs again. */
  public boolean repeats(Instruction forward) {
    return forward.moment() == Moment.FORWARD
        && instructions.contains(forward.at(Moment.RECOMPUTATION));
  }

  private static boolean isSum(Work.Transfer move) {
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
          instruction.work() instanceof Work.Transfer
              && needed.contains(instruction.writes().get(0));
      if (passesOn || recomputation.operators().contains(placed.steps().get(i).origin())) {
        instruction.reads().forEach(read -> needed.add(forward.root(read)));
      }
    }
    return needed;
  }
}
