package org.stage.instantiate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.stage.api.workload.ExecutionGraph;
import org.stage.model.ModelGraph;
import org.stage.schedule.Turn;

/**
 * Builds the execution graph of one pipeline stage, turn by turn, in a legal order of execution.
 *
 * <p>That order is deadlock-free under any timing, even where a send blocks until its receive is
 * posted: a receive waits only for the last kernel of the micro-batch before it in the same chunk
 * and direction (which frees its buffer), and gradients are reduced where they become complete, but
 * for those of which another stage has a part: a tied table's, and those of DualPipe's copies.
 * Those stages can only exchange them when all else is done.
 */
final class StageGraph {
  private final JobPlan job;
  private final StagePlan plan;
  private final GraphWriter graph = new GraphWriter();
  private final List<ChunkInstance> chunks = new ArrayList<>();

  private StageGraph(JobPlan job, StagePlan plan) {
    this.job = job;
    this.plan = plan;
    plan.chunks().forEach(chunk -> chunks.add(new ChunkInstance(job, plan, chunk, graph)));
    Optional<UnitStates> embedding = states(JobPlan.EMBEDDING);
    Optional<UnitStates> head = states(JobPlan.HEAD);
    if (job.spec().model().tied() && embedding.isPresent() && head.isPresent()) {
      // Where they are in chunks of their own, the embedding's is complete last.
      Parameter table = embedding.get().parameter(ModelGraph.TABLE);
      head.get().borrow(ModelGraph.TABLE, table);
    }
  }

  static ExecutionGraph of(JobPlan job, StagePlan plan) {
    return new StageGraph(job, plan).build();
  }

  private ExecutionGraph build() {
    for (Turn turn : plan.turns()) {
      graph.beginTurn();
      run(turn.slots().stream().map(slot -> chunks.get(slot.chunk()).steps(slot)).toList());
    }
    graph.beginTurn();
    plan.tied().ifPresent(this::reduceTied);
    chunks.stream()
        .sorted(Comparator.comparingInt(chunk -> chunk.chunk().position()))
        .forEach(this::reduceCopies);
    for (ChunkInstance chunk : chunks) {
      for (UnitInstance unit : chunk.units()) {
        long elements = unit.states().plan().exchange().shard();
        unit.states()
            .update(OptimizerCost.of(job.spec().training().optimizer(), job.precision(), elements));
      }
    }
    return graph.finish();
  }

  /** Runs the passes of a turn; two of them by turns, so that each can fill the other's gaps. */
  private void run(List<List<Runnable>> passes) {
    List<Runnable> first = passes.get(0);
    List<Runnable> second = passes.size() > 1 ? passes.get(1) : List.of();
    int i = 0;
    int j = 0;
    while (i < first.size() || j < second.size()) {
      boolean firstNext = (long) i * second.size() <= (long) j * first.size() && i < first.size();
      graph.stream(firstNext ? 0 : 1);
      (firstNext ? first.get(i++) : second.get(j++)).run();
    }
    graph.stream(0);
  }

  private Optional<UnitStates> states(String name) {
    return chunks.stream()
        .flatMap(chunk -> chunk.units().stream())
        .map(UnitInstance::states)
        .filter(states -> states.name().equals(name))
        .findFirst();
  }

  private void reduceTied(Sync sync) {
    states(JobPlan.EMBEDDING)
        .or(() -> states(JobPlan.HEAD))
        .ifPresent(owner -> owner.reduce(sync, Timing.TIED));
  }

  private void reduceCopies(ChunkInstance chunk) {
    for (UnitInstance unit : chunk.units()) {
      UnitStates states = unit.states();
      for (Sync sync : job.copies(plan, states.plan())) {
        String name = Copies.name(states.name(), sync);
        states.reduce(sync.lasting(job.timing().of(Copies.key(name, sync))), name);
      }
    }
  }
}
