package org.stage.analyze;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.stage.api.workload.Precision;
import org.stage.instantiate.Exchange;
import org.stage.instantiate.JobPlan;
import org.stage.instantiate.OptimizerCost;
import org.stage.instantiate.StagePlan;
import org.stage.instantiate.UnitPlan;
import org.stage.schedule.Pass;
import org.stage.schedule.Slot;
import org.stage.schedule.Turn;

/**
 * Peak memory of a rank: model states, which stay, and activations, which come and go with the
 * turns of the schedule.
 *
 * <p>Megatron's conventions: decoder layers accumulate weight gradients in place, and
 * TransformerEngine keeps one placeholder, of the weights' type, for each weight matrix of a layer;
 * embeddings and head make a gradient of the weights' type first and add it to the accumulated one.
 */
final class MemoryModel {
  private final JobPlan job;
  private final StagePlan stage;
  private final Precision precision;
  private final IdentityHashMap<UnitPlan, UnitMemory> memories = new IdentityHashMap<>();
  private final IdentityHashMap<UnitPlan, SplitMemory> splits = new IdentityHashMap<>();
  private final Map<Slot, List<Change>> changes = new HashMap<>();

  MemoryModel(JobPlan job, StagePlan stage) {
    this.job = job;
    this.stage = stage;
    this.precision = job.precision();
    for (StagePlan.Unit unit : stage.units()) {
      memories.computeIfAbsent(unit.plan(), this::memory);
    }
  }

  private UnitMemory memory(UnitPlan unit) {
    return UnitMemory.of(unit, gradientBytes(unit));
  }

  private int gradientBytes(UnitPlan unit) {
    return isLayer(unit) ? 0 : precision.weights().bytes();
  }

  @SuppressWarnings(
      "ReferenceEquality") // One plan serves all layers of a kind, and plans are long.
  private boolean isLayer(UnitPlan unit) {
    return unit == job.denseLayer() || unit == job.expertLayer();
  }

  Memory peak() {
    long parameters = 0;
    long gradients = 0;
    long optimizer = 0;
    int zero = job.spec().training().sharding().zero();
    for (StagePlan.Unit unit : stage.units()) {
      long whole = unit.plan().parameterElements();
      long shard = unit.plan().exchange().shard();
      parameters += (zero == 3 ? shard : whole) * precision.weights().bytes();
      gradients += (zero >= 2 ? shard : whole) * precision.gradients().bytes();
      optimizer +=
          OptimizerCost.of(job.spec().training().optimizer(), precision, shard).stateBytes();
    }
    return new Memory(parameters, gradients, optimizer, activations(), workspace());
  }

  /** Plays the turns: each forward pass leaves what it keeps, each backward pass takes it away. */
  private long activations() {
    long kept = 0;
    long peak = 0;
    for (Turn turn : stage.turns()) {
      List<List<Change>> passes = turn.slots().stream().map(this::changes).toList();
      int longest = passes.stream().mapToInt(List::size).max().orElse(0);
      for (int i = 0; i < longest; i++) {
        long alive = 0;
        long after = 0;
        // Passes that overlap have a module each at work.
        for (List<Change> pass : passes) {
          if (i < pass.size()) {
            alive += pass.get(i).peak();
            kept -= pass.get(i).frees();
            after += pass.get(i).keeps();
          }
        }
        peak = Math.max(peak, kept + alive);
        kept += after;
      }
    }
    return peak;
  }

  /**
   * What a module does to memory in a pass.
   *
   * @param frees bytes kept before that are its own
   * @param peak most bytes that it has alive
   * @param keeps bytes that it keeps afterwards
   */
  private record Change(long frees, long peak, long keeps) {}

  /** By pass and chunk: what it does to memory, module by module. */
  private List<Change> changes(Slot slot) {
    return changes.computeIfAbsent(new Slot(slot.pass(), slot.chunk(), 0), this::computeChanges);
  }

  private List<Change> computeChanges(Slot slot) {
    List<Change> all = new ArrayList<>();
    for (StagePlan.Unit unit : stage.chunks().get(slot.chunk()).units()) {
      UnitMemory memory = of(unit);
      all.add(
          switch (slot.pass()) {
            case FORWARD -> new Change(0, memory.forwardPeak(), memory.kept());
            case BACKWARD -> new Change(memory.kept(), memory.backwardPeak(), 0);
            case INPUT_GRADIENTS -> {
              SplitMemory split = split(unit);
              yield new Change(memory.kept(), split.inputsPeak(), split.kept());
            }
            case WEIGHT_GRADIENTS -> {
              SplitMemory split = split(unit);
              yield new Change(split.kept(), split.weightsPeak(), 0);
            }
          });
    }
    if (slot.pass() != Pass.FORWARD) {
      Collections.reverse(all);
    }
    return all;
  }

  private SplitMemory split(StagePlan.Unit unit) {
    UnitPlan plan = unit.plan();
    return splits.computeIfAbsent(plan, p -> SplitMemory.of(p, gradientBytes(p)));
  }

  private UnitMemory of(StagePlan.Unit unit) {
    UnitMemory memory = memories.get(unit.plan());
    if (memory == null) {
      throw new IllegalStateException("no memory of " + unit.name());
    }
    return memory;
  }

  private long workspace() {
    int weight = precision.weights().bytes();
    long placeholders = 0;
    long kept = 0;
    long scattered = 0;
    long layers = 0;
    long largestLayer = 0;
    for (StagePlan.Unit unit : stage.units()) {
      Exchange exchange = unit.plan().exchange();
      long whole = unit.plan().parameterElements();
      if (isLayer(unit.plan())) {
        placeholders = Math.max(placeholders, unit.plan().matrixElements() * weight);
      }
      kept += exchange.keepsGathered() ? whole * weight : 0;
      if (!exchange.beforeBackward().isEmpty()) {
        layers++;
        largestLayer = Math.max(largestLayer, whole * weight);
      }
      if (exchange.accumulates()) {
        scattered = Math.max(scattered, whole * precision.gradients().bytes());
      }
    }
    int ahead = job.spec().training().sharding().prefetch();
    // Passes that overlap gather each their own.
    long gathered = (1L + ahead) * (stage.pipeline().overlaps() ? 2 : 1);
    return placeholders + kept + Math.min(gathered, layers) * largestLayer + scattered;
  }
}
