package org.stage.analyze;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import org.stage.api.workload.Precision;
import org.stage.arithmetic.Sums;
import org.stage.job.Training;
import org.stage.plan.JobPlan;
import org.stage.plan.StepPlan;
import org.stage.plan.UnitPlan;
import org.stage.schedule.Pass;
import org.stage.schedule.Slot;
import org.stage.schedule.Turn;
import org.stage.state.ModuleStates;

/**
 * Memory of a rank over a step: model states, which stay, and activations, which come and go with
 * the turns of the schedule.
 *
 * <p>Megatron's conventions: decoder layers accumulate weight gradients in place, and
 * TransformerEngine keeps one placeholder, of the weights' type, for each shape of weight matrix;
 * embeddings and head make a gradient of the weights' type first and add it to the accumulated one.
 */
final class MemoryModel {
  private final JobPlan job;
  private final StepPlan stage;
  private final Precision precision;
  // By identity: one plan serves all layers of a kind, and plans are long to compare.
  private final IdentityHashMap<UnitPlan, UnitMemory> memories = new IdentityHashMap<>();
  private final Map<Slot, List<Change>> changes = new HashMap<>();

  MemoryModel(JobPlan job, StepPlan stage) {
    this.job = job;
    this.stage = stage;
    this.precision = job.precision();
    for (StepPlan.Unit unit : stage.units()) {
      memories.computeIfAbsent(
          unit.plan(), plan -> UnitMemory.of(plan, job.operators(), gradientBytes(unit)));
    }
  }

  /** Whole gradients that are to be scattered count apart. */
  private int gradientBytes(StepPlan.Unit unit) {
    return unit.isLayer() || unit.plan().states().scattersEachBackward()
        ? 0
        : precision.weights().bytes();
  }

  /**
   * Every moment of a step: each forward pass leaves what it keeps, each backward pass takes it
   * away. Passes that overlap have a module each at work.
   */
  MemoryTimeline timeline() {
    Memory idle = idle();
    List<MemoryTimeline.Moment> moments = new ArrayList<>();
    List<Turn> turns = stage.turns();
    long kept = 0;
    long tied = tiedGradient();
    boolean begun = false;
    for (int turn = 0; turn < turns.size(); turn++) {
      Turn passes = turns.get(turn);
      List<List<Change>> all = passes.slots().stream().map(this::changes).toList();
      int longest = all.stream().mapToInt(List::size).max().orElse(0);
      for (int i = 0; i < longest; i++) {
        int module = i;
        List<Change> changes =
            all.stream().filter(pass -> module < pass.size()).map(p -> p.get(module)).toList();
        kept -= sum(changes, Change::frees);
        long alive = Math.addExact(kept, sum(changes, Change::peak));
        kept = Math.addExact(kept, sum(changes, Change::keeps));
        boolean ends = makesGradients(passes, module, StepPlan.EMBEDDING);
        begun = (begun || makesGradients(passes, module, StepPlan.HEAD)) && !ends;
        // While the embedding makes its gradient, the table's is among those of its module.
        long whole = Math.addExact(sum(changes, Change::gradients), begun ? tied : 0);
        Memory memory = idle.with(alive, whole);
        List<String> modules = modules(passes, module);
        moments.add(new MemoryTimeline.Moment(turn, passes.toString(), modules, memory, kept));
      }
    }
    return new MemoryTimeline(stage.stage(), stage.ranks(), moments);
  }

  private static long sum(List<Change> changes, ToLongFunction<Change> of) {
    return Sums.of(changes.stream().mapToLong(of));
  }

  /** What is there all the time. */
  private Memory idle() {
    long parameters = 0;
    long gradients = 0;
    int zero = job.job().training().sharding().zero();
    for (StepPlan.Unit unit : stage.units()) {
      long whole = unit.plan().states().elements();
      long shard = unit.plan().states().updated();
      long held = precision.weights().bytes(unit.plan().states().held());
      parameters = Math.addExact(parameters, held);
      long summed = precision.gradients().bytes(zero >= 2 ? shard : whole);
      gradients = Math.addExact(gradients, summed);
    }
    return new Memory(parameters, gradients, optimizerStates(), 0, workspace());
  }

  /**
   * Bytes of optimizer states on the device: all of them; or if they lie in host memory buffers for
   * those of two modules, one that is updated and one whose states come or go.
   */
  private long optimizerStates() {
    long[] each =
        stage.units().stream()
            .mapToLong(unit -> unit.plan().states().update().stateBytes())
            .sorted()
            .toArray();
    boolean away = job.job().training().offload() == Training.Offload.OPTIMIZER;
    int from = away ? Math.max(0, each.length - 2) : 0;
    return Sums.of(Arrays.stream(each, from, each.length));
  }

  /** Whether a pass makes gradients of the parameters of a module of that name. */
  private boolean makesGradients(Turn passes, int module, String name) {
    return passes.slots().stream()
        .filter(slot -> slot.pass().completes())
        .anyMatch(slot -> at(slot, module).filter(name::equals).isPresent());
  }

  private List<String> modules(Turn passes, int module) {
    return passes.slots().stream().flatMap(slot -> at(slot, module).stream()).toList();
  }

  /** The name of the module that a pass has reached. */
  private Optional<String> at(Slot slot, int module) {
    List<StepPlan.Unit> units = stage.chunks().get(slot.chunk()).units();
    int at = slot.pass() == Pass.FORWARD ? module : units.size() - 1 - module;
    return 0 <= at && at < units.size() ? Optional.of(units.get(at).name()) : Optional.empty();
  }

  /**
   * What a module does to memory in a pass.
   *
   * @param frees bytes kept before that are its own
   * @param peak most bytes that it has alive
   * @param keeps bytes that it keeps afterwards
   * @param gradients bytes of its whole gradients, where they are to be scattered
   */
  private record Change(long frees, long peak, long keeps, long gradients) {}

  /** By pass and chunk: what it does to memory, module by module. */
  private List<Change> changes(Slot slot) {
    return changes.computeIfAbsent(new Slot(slot.pass(), slot.chunk(), 0), this::computeChanges);
  }

  private List<Change> computeChanges(Slot slot) {
    List<Change> all = new ArrayList<>();
    for (StepPlan.Unit unit : stage.chunks().get(slot.chunk()).units()) {
      all.add(change(slot.pass(), unit));
    }
    if (slot.pass() != Pass.FORWARD) {
      Collections.reverse(all);
    }
    return all;
  }

  private Change change(Pass pass, StepPlan.Unit unit) {
    UnitMemory memory = of(unit);
    boolean away = !unit.plan().offload().isEmpty();
    long kept = away ? 0 : memory.kept();
    // While a layer computes, what another keeps is on its way.
    long moving = away && pass != Pass.WEIGHT_GRADIENTS ? memory.kept() : 0;
    long peak = Math.addExact(memory.peak(pass), moving);
    return switch (pass) {
      case FORWARD -> new Change(0, peak, kept, 0);
      case BACKWARD -> new Change(kept, peak, 0, wholeGradients(unit));
      case INPUT_GRADIENTS -> new Change(kept, peak, memory.keptForWeights(), 0);
      case WEIGHT_GRADIENTS -> new Change(memory.keptForWeights(), peak, 0, wholeGradients(unit));
    };
  }

  /**
   * Under ZeRO-2 and 3 they are there until they are scattered; what no other rank holds, such as
   * experts without copies, is accumulated in place and counts with the gradients.
   */
  private long wholeGradients(StepPlan.Unit unit) {
    ModuleStates states = unit.plan().states();
    return states.scattersEachBackward() ? precision.gradients().bytes(states.shared()) : 0;
  }

  /**
   * The whole gradient of a tied table of which both ends are on this rank: the head begins it, and
   * it is scattered behind the embedding, which owns it.
   */
  private long tiedGradient() {
    boolean both = job.job().model().tied() && stage.pipeline().holdsBothEnds();
    for (StepPlan.Unit unit : both ? stage.units() : List.<StepPlan.Unit>of()) {
      ModuleStates states = unit.plan().states();
      if (unit.name().equals(StepPlan.EMBEDDING) && states.scattersEachBackward()) {
        String table = job.job().model().ends().table();
        return precision.gradients().bytes(states.parameters().getOrDefault(table, 0L));
      }
    }
    return 0;
  }

  private UnitMemory of(StepPlan.Unit unit) {
    UnitMemory memory = memories.get(unit.plan());
    if (memory == null) {
      throw new IllegalStateException("no memory of " + unit.name());
    }
    return memory;
  }

  private long workspace() {
    // TransformerEngine keeps one for each shape of matrix, whatever their number.
    Map<String, Long> placeholders = new HashMap<>();
    long kept = 0;
    for (StepPlan.Unit unit : stage.units()) {
      ModuleStates states = unit.plan().states();
      // What is scattered in every micro-batch is made whole, and needs none.
      if (unit.isLayer() && !states.scattersEachBackward()) {
        placeholders.putAll(unit.plan().matrices());
      }
      if (states.keepsGathered()) {
        kept = Math.addExact(kept, states.gathered());
      }
    }
    int ahead = job.job().training().sharding().parameters().prefetch();
    // Passes that overlap gather each their own.
    int passes = stage.pipeline().overlaps() ? 2 : 1;
    long gathered = mostGathered(Math.multiplyExact(passes, 1 + ahead));
    long shapes = Sums.of(placeholders.values());
    return precision.weights().bytes(Sums.of(LongStream.of(shapes, kept, gathered)));
  }

  /**
   * Most elements of parameters that ZeRO-3 gathers twice, and so are there only while a module is
   * in use, or soon will be.
   *
   * @param inUse how many modules follow one another in the buffers
   */
  private long mostGathered(int inUse) {
    long[] each =
        stage.units().stream()
            .map(unit -> unit.plan().states())
            .mapToLong(states -> states.gathersTwice() ? states.gathered() : 0)
            .toArray();
    long most = 0;
    for (int end = 1; end <= each.length; end++) {
      most = Math.max(most, Sums.of(Arrays.stream(each, Math.max(0, end - inUse), end)));
    }
    return most;
  }
}
