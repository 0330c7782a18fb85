package org.stage.plan;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.stage.api.workload.Node.Collective;
import org.stage.parallel.Value;
import org.stage.state.Moment;
import org.stage.state.Work;

/**
 * Shards that are kept whole for a backward pass, and that both what runs again and the gradients
 * behind it gather: gathered once, by what runs again. A shard that is itself made again is
 * gathered twice, as in a pass that runs again as a whole.
 *
 * @param backward the backward program without the second gather
 * @param recomputed what runs again, whose gathered tensors backward reads
 */
record SharedGathers(Program backward, RecomputedOperators recomputed) {
  static SharedGathers of(Program forward, Program backward, RecomputedOperators recomputed) {
    Set<Integer> made = new HashSet<>();
    recomputed.instructions().forEach(each -> made.addAll(each.writes()));
    List<Instruction> instructions = new ArrayList<>(backward.instructions());
    List<Program.Variable> variables = new ArrayList<>(backward.variables());
    Set<Integer> replaced = new HashSet<>(recomputed.replaced());
    for (Instruction gather : backward.instructions()) {
      Optional<Integer> shard = shard(gather, forward, backward).filter(v -> !made.contains(v));
      recomputed.instructions().stream()
          .filter(each -> shard.isPresent() && each.work().equals(gather.work()))
          .filter(each -> forward.root(each.reads().get(0)) == shard.orElseThrow())
          .findFirst()
          .ifPresent(
              each -> {
                int whole = each.writes().get(0);
                int result = gather.writes().get(0);
                instructions.remove(gather);
                replaced.add(whole);
                variables.set(result, variables.get(result).from(new Value.Source.Saved(whole)));
              });
    }
    return new SharedGathers(
        new Program(instructions, variables, backward.outputs()),
        new RecomputedOperators(recomputed.instructions(), replaced));
  }

  /** The variable of the forward program that an all-gather of input gradients reads. */
  private static Optional<Integer> shard(Instruction gather, Program forward, Program backward) {
    boolean gathers =
        gather.moment() == Moment.INPUT_GRADIENTS
            && gather.work() instanceof Work.Transfer move
            && move.kind() == Collective.Kind.ALL_GATHER;
    return gathers
            && backward.variables().get(backward.root(gather.reads().get(0))).source()
                instanceof Value.Source.Saved from
        ? Optional.of(forward.root(from.value()))
        : Optional.empty();
  }
}
