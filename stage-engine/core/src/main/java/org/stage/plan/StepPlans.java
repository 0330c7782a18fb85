package org.stage.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.stage.api.workload.Group;
import org.stage.api.workload.RankSet;
import org.stage.schedule.Pass;
import org.stage.schedule.Pipeline;
import org.stage.state.Action;
import org.stage.state.GradientNorm;
import org.stage.state.MirroredModules;
import org.stage.state.ModuleStates;
import org.stage.state.Moment;
import org.stage.state.TiedTable;

/**
 * Makes the step plan of a stage: which modules it holds, their passes, and the end of the step.
 */
final class StepPlans {
  /** The mesh axis along which stages stand. */
  static final String PIPELINE = "pp";

  private final JobPlan job;
  private final int stage;
  private final Pipeline pipeline;
  private final Set<Pass> passes;
  private final List<StepPlan.Unit> units = new ArrayList<>();

  private StepPlans(JobPlan job, int stage) {
    this.job = job;
    this.stage = stage;
    this.pipeline = job.pipeline();
    this.passes = passes(pipeline, stage);
  }

  static StepPlan of(JobPlan job, int stage, int expertRank, RankSet ranks) {
    return new StepPlans(job, stage).plan(expertRank, ranks);
  }

  private StepPlan plan(int expertRank, RankSet ranks) {
    List<StepPlan.Chunk> chunks = new ArrayList<>();
    for (int index = 0; index < pipeline.chunks(); index++) {
      int first = units.size();
      units.addAll(units(expertRank, index));
      chunks.add(chunk(index, first));
    }
    return new StepPlan(stage, pipeline, expertRank, ranks, chunks, end(chunks));
  }

  private List<StepPlan.Unit> units(int expertRank, int chunk) {
    int position = pipeline.position(stage, chunk);
    List<StepPlan.Unit> of = new ArrayList<>();
    if (pipeline.isFirst(stage, chunk)) {
      of.add(new StepPlan.Unit(StepPlan.EMBEDDING, job.embedding()));
    }
    for (int layer = job.firstLayer(position); layer < job.firstLayer(position + 1); layer++) {
      of.add(new StepPlan.Unit(StepPlan.LAYER + layer, job.layer(layer, expertRank)));
    }
    if (pipeline.isLast(stage, chunk)) {
      of.add(new StepPlan.Unit(StepPlan.HEAD, job.head()));
    }
    return of;
  }

  private StepPlan.Chunk chunk(int index, int first) {
    List<Integer> order = IntStream.range(first, units.size()).boxed().toList();
    List<Integer> reverse = order.stream().sorted(Comparator.reverseOrder()).toList();
    boolean before = !pipeline.isFirst(stage, index);
    boolean behind = !pipeline.isLast(stage, index);
    PassActions actions =
        new PassActions(
            units,
            job.job().training().sharding().prefetch(),
            job.precision().activations(),
            job.boundaryElements());
    Map<Pass, List<UnitAction>> ofPasses = new EnumMap<>(Pass.class);
    for (Pass pass : passes) {
      boolean forward = pass == Pass.FORWARD;
      ofPasses.put(
          pass,
          actions.of(
              pass,
              forward ? order : reverse,
              forward ? before : behind,
              forward ? behind : before));
    }
    return new StepPlan.Chunk(
        index,
        pipeline.position(stage, index),
        first,
        units.subList(first, units.size()),
        ofPasses);
  }

  /** The passes that the schedule has. */
  private static Set<Pass> passes(Pipeline pipeline, int stage) {
    Set<Pass> passes = EnumSet.noneOf(Pass.class);
    pipeline.turns(stage).forEach(turn -> turn.slots().forEach(slot -> passes.add(slot.pass())));
    return passes;
  }

  /** What stages exchange, the norm of all gradients, and the update. */
  private List<UnitAction> end(List<StepPlan.Chunk> chunks) {
    List<UnitAction> end = new ArrayList<>();
    end.addAll(tied());
    chunks.stream()
        .sorted(Comparator.comparingInt(StepPlan.Chunk::position))
        .flatMap(chunk -> chunk.unitIndices().boxed())
        .forEach(unit -> end.addAll(mirrored(unit)));
    if (job.job().training().optimizer().clipsGradients()) {
      end.addAll(gradientNorm());
    }
    for (int unit = 0; unit < units.size(); unit++) {
      ModuleStates states = units.get(unit).plan().states();
      for (Action action : states.actions()) {
        if (action.moment().compareTo(Moment.UPDATE) >= 0) {
          end.add(at(unit, action));
        }
      }
    }
    return end;
  }

  private UnitAction at(int unit, Action action) {
    return new UnitAction(unit, units.get(unit).name(), action);
  }

  /**
   * Adds up the gradients of a tied table that the first and the last stage hold, if they do: the
   * first module of the one, the last of the other.
   */
  private List<UnitAction> tied() {
    int last = job.stages() - 1;
    boolean holds = stage == 0 || stage == last;
    if (!job.job().model().tied() || pipeline.holdsBothEnds() || !holds) {
      return List.of();
    }
    int unit = stage == 0 ? 0 : units.size() - 1;
    Group stages = new Group.Members(PIPELINE, List.of(0, last));
    ModuleStates owner = units.get(unit).plan().states();
    String table = job.job().model().ends().table();
    Action sum = TiedTable.reduction(owner, table, stages, job.precision().gradients());
    return List.of(new UnitAction(unit, "", sum));
  }

  /**
   * Adds up the gradients of each module with those of its copy on another stage, if there is one.
   */
  private List<UnitAction> mirrored(int unit) {
    if (!pipeline.hasCopies()) {
      return List.of();
    }
    int other = pipeline.ranks() - 1 - stage;
    List<Integer> both = List.of(Math.min(stage, other), Math.max(stage, other));
    ModuleStates states = units.get(unit).plan().states();
    return MirroredModules.reductions(states, new Group.Members(PIPELINE, both), job.zero())
        .stream()
        .map(each -> at(unit, each))
        .toList();
  }

  private List<UnitAction> gradientNorm() {
    List<UnitAction> norm = new ArrayList<>();
    for (int unit = 0; unit < units.size(); unit++) {
      long updated = units.get(unit).plan().states().updated();
      if (updated > 0) {
        norm.add(at(unit, GradientNorm.ofModule(updated, job.precision().gradients())));
      }
    }
    GradientNorm.ofStage(norm.size(), job.job().mesh())
        .forEach(each -> norm.add(new UnitAction(0, "", each)));
    return norm;
  }
}
