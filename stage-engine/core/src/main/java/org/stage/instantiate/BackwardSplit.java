package org.stage.instantiate;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.stage.instantiate.Program.Instruction;
import org.stage.parallel.Value;

/**
 * A backward program in two parts: what the gradient of the module's input needs, and what only
 * gradients of weights need, collectives on their way included. The second can run at any time
 * after the first.
 *
 * @param inputGradients instructions of the first part, in order
 * @param weightGradients instructions of the second
 * @param kept variables that stay from the first to the second: what the second reads
 */
public record BackwardSplit(
    List<Instruction> inputGradients, List<Instruction> weightGradients, Set<Integer> kept) {
  /** Copies all. */
  public BackwardSplit {
    inputGradients = List.copyOf(inputGradients);
    weightGradients = List.copyOf(weightGradients);
    kept = Set.copyOf(kept);
  }

  /** Splits a backward program by what its output can be reached from. */
  public static BackwardSplit of(Program backward) {
    Set<Integer> needed = new HashSet<>();
    for (int output : backward.outputs().values()) {
      if (!backward.variables().get(output).isGradient()) {
        needed.add(backward.root(output));
      }
    }
    List<Instruction> inputs = new ArrayList<>();
    List<Instruction> weights = new ArrayList<>();
    for (int i = backward.instructions().size() - 1; i >= 0; i--) {
      Instruction instruction = backward.instructions().get(i);
      if (instruction.writes().stream().anyMatch(needed::contains)) {
        inputs.add(0, instruction);
        instruction.reads().forEach(read -> needed.add(backward.root(read)));
      } else {
        weights.add(0, instruction);
      }
    }
    return new BackwardSplit(inputs, weights, kept(backward, weights));
  }

  private static Set<Integer> kept(Program backward, List<Instruction> weights) {
    Set<Integer> own = new HashSet<>();
    Set<Integer> kept = new HashSet<>();
    for (Instruction instruction : weights) {
      instruction.reads().stream()
          .map(backward::root)
          .filter(read -> !own.contains(read) && !isGiven(backward, read))
          .forEach(kept::add);
      own.addAll(instruction.writes());
    }
    return kept;
  }

  private static boolean isGiven(Program backward, int variable) {
    return backward.variables().get(variable).source() instanceof Value.Source.Given;
  }
}
