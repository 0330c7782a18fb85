package org.stage.instantiate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.stage.api.workload.ExecutionGraph;
import org.stage.job.Training;
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
    Handle norm = gradientNorm();
    for (ChunkInstance chunk : chunks) {
      for (UnitInstance unit : chunk.units()) {
        long elements = unit.states().plan().exchange().shard();
        unit.states()
            .update(
                OptimizerCost.of(
                    job.spec().training().optimizer().kind(), job.precision(), elements),
                norm,
                job.spec().training().offload() == Training.Offload.OPTIMIZER);
      }
    }
    return graph.finish();
  }

  private void run(List<Steps> passes) {
    if (passes.size() > 1) {
      Steps.run(passes.get(0), passes.get(1), graph);
    } else {
      passes.get(0).run();
    }
  }

  private Handle gradientNorm() {
    List<UnitStates> states =
        chunks.stream().flatMap(chunk -> chunk.units().stream()).map(UnitInstance::states).toList();
    return job.spec().training().optimizer().clipsGradients()
        ? GradientNorm.add(graph, job, states)
        : Handle.NONE;
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
