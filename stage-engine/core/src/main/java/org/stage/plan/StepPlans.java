package org.stage.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.stage.api.workload.Group;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.RankSet;
import org.stage.job.GradientReduction;
import org.stage.schedule.Pass;
import org.stage.schedule.Pipeline;
import org.stage.schedule.Slot;
import org.stage.schedule.Turn;
import org.stage.state.Action;
import org.stage.state.GradientNorm;
import org.stage.state.MirroredModules;
import org.stage.state.ModuleStates;
import org.stage.state.Moment;
import org.stage.state.StateAction;
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
      chunks.add(chunk(index, first, units.size(), false));
    }
    OptionalInt reducing = reducing(chunks);
    reducing.ifPresent(index -> chunks.set(index, reducing(chunks.get(index))));
    return new StepPlan(stage, pipeline, expertRank, ranks, chunks, end(chunks, reducing));
  }

  /**
   * The chunk that reduces gradients in its last backward pass: the one that comes last, if no
   * other communicates behind it.
   */
  private OptionalInt reducing(List<StepPlan.Chunk> chunks) {
    List<Turn> turns = pipeline.turns(stage);
    for (int i = turns.size() - 1; i >= 0; i--) {
      List<Slot> slots = turns.get(i).slots();
      Slot slot = slots.get(0);
      int last = pipeline.firstMicroBatch(slot.chunk()) + pipeline.microBatchesOfChunk() - 1;
      if (slots.size() == 1 && slot.pass().completes() && slot.microBatch() == last) {
        return reducesAtOnce(slot.chunk()) ? OptionalInt.of(slot.chunk()) : OptionalInt.empty();
      }
      if (slots.stream().anyMatch(each -> communicates(chunks.get(each.chunk()), each.pass()))) {
        return OptionalInt.empty();
      }
    }
    return OptionalInt.empty();
  }

  private StepPlan.Chunk reducing(StepPlan.Chunk chunk) {
    return chunk(chunk.index(), chunk.firstUnit(), chunk.firstUnit() + chunk.units().size(), true);
  }

  private static boolean communicates(StepPlan.Chunk chunk, Pass pass) {
    return chunk.passes().getOrDefault(pass, List.of()).stream().anyMatch(UnitAction::communicates);
  }

  /** Whether a chunk reduces gradients as soon as they are complete, and not all of it together. */
  private boolean reducesAtOnce(int chunk) {
    return job.zero().gradients().when() != GradientReduction.When.FIRST_STAGE_AT_ONCE
        || pipeline.isFirst(stage, chunk);
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

  private StepPlan.Chunk chunk(int index, int first, int end, boolean reduces) {
    List<StepPlan.Unit> of = units.subList(first, end);
    List<Integer> order = IntStream.range(first, end).boxed().toList();
    List<Integer> reverse = order.stream().sorted(Comparator.reverseOrder()).toList();
    boolean before = !pipeline.isFirst(stage, index);
    boolean behind = !pipeline.isLast(stage, index);
    PassActions actions =
        new PassActions(
            units,
            job.job().training().sharding().parameters().prefetch(),
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
              forward ? new PassActions.Ends(before, behind) : new PassActions.Ends(behind, before),
              reduces && pass.completes()));
    }
    return new StepPlan.Chunk(index, pipeline.position(stage, index), first, of, ofPasses);
  }

  /** The passes that the schedule has. */
  private static Set<Pass> passes(Pipeline pipeline, int stage) {
    Set<Pass> passes = EnumSet.noneOf(Pass.class);
    pipeline.turns(stage).forEach(turn -> turn.slots().forEach(slot -> passes.add(slot.pass())));
    return passes;
  }

  /**
   * What of gradients is reduced behind all passes, as Megatron-LM has it: over replicas, inside
   * them, between stages; then the norm of all gradients, the update, and what it changed.
   *
   * @param reducing the chunk whose gradients are reduced in its last pass, if there is one
   */
  private List<UnitAction> end(List<StepPlan.Chunk> chunks, OptionalInt reducing) {
    List<UnitAction> end = new ArrayList<>();
    for (StepPlan.Chunk chunk : byCompletion(chunks)) {
      if (reducing.isEmpty() || reducing.getAsInt() != chunk.index()) {
        Moment moment =
            reducesAtOnce(chunk.index()) ? Moment.AFTER_LAST_BACKWARD : Moment.AFTER_LAST_PASS;
        end.addAll(states(chunk, Moment.AFTER_LAST_BACKWARD, moment));
      }
    }
    for (Moment moment : List.of(Moment.AFTER_PASSES, Moment.AFTER_REDUCTION)) {
      byCompletion(chunks).forEach(chunk -> end.addAll(states(chunk, moment, moment)));
    }
    end.addAll(tied());
    chunks.stream()
        .sorted(Comparator.comparingInt(StepPlan.Chunk::position))
        .flatMap(chunk -> chunk.unitIndices().boxed())
        .forEach(unit -> end.addAll(mirrored(unit)));
    if (job.job().training().optimizer().clipsGradients()) {
      end.addAll(gradientNorm());
    }
    end.addAll(update(false));
    end.addAll(update(true));
    return end;
  }

  /** The chunks as their gradients are complete. */
  private List<StepPlan.Chunk> byCompletion(List<StepPlan.Chunk> chunks) {
    List<Integer> completed = new ArrayList<>();
    for (Turn turn : pipeline.turns(stage)) {
      for (Slot slot : turn.slots()) {
        completed.remove((Integer) slot.chunk());
        completed.add(slot.chunk());
      }
    }
    return completed.stream().map(chunks::get).toList();
  }

  /** What becomes of the states of a chunk at a moment, as if at another, from behind. */
  private List<UnitAction> states(StepPlan.Chunk chunk, Moment moment, Moment as) {
    List<UnitAction> actions = new ArrayList<>();
    int first = chunk.firstUnit();
    for (int unit = first + chunk.units().size() - 1; unit >= first; unit--) {
      for (StateAction action : units.get(unit).plan().states().at(moment)) {
        actions.add(at(unit, action.at(as)));
      }
    }
    return actions;
  }

  /** The update of all modules, or the gathers of what it changed. */
  private List<UnitAction> update(boolean gathers) {
    List<UnitAction> actions = new ArrayList<>();
    for (int unit = 0; unit < units.size(); unit++) {
      for (StateAction action : units.get(unit).plan().states().actions()) {
        boolean ofUpdate = action.moment().compareTo(Moment.UPDATE) >= 0;
        if (ofUpdate && action.gathers() == gathers) {
          actions.add(at(unit, action));
        }
      }
    }
    return actions;
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
    boolean apart = job.job().training().optimizer().normsByTensor();
    int tensors = 0;
    for (int unit = 0; unit < units.size(); unit++) {
      ModuleStates states = units.get(unit).plan().states();
      if (states.updated() > 0) {
        int sums = apart ? states.parameters().size() : 1;
        tensors += sums;
        norm.add(
            at(unit, GradientNorm.ofModule(states.updated(), job.precision().gradients(), sums)));
      }
    }
    Mesh mesh = job.job().mesh();
    List<StateAction> sums =
        apart ? GradientNorm.byTensor(tensors, mesh) : GradientNorm.ofStage(tensors, mesh);
    sums.forEach(each -> norm.add(new UnitAction(0, "", each)));
    return norm;
  }
}
