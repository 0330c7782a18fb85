package org.stage.analyze;

import java.util.IdentityHashMap;
import java.util.List;
import org.stage.api.workload.Precision;
import org.stage.instantiate.Exchange;
import org.stage.instantiate.JobPlan;
import org.stage.instantiate.OptimizerCost;
import org.stage.instantiate.StagePlan;
import org.stage.instantiate.UnitPlan;
import org.stage.schedule.Slot;

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

  MemoryModel(JobPlan job, StagePlan stage) {
    this.job = job;
    this.stage = stage;
    this.precision = job.precision();
    for (StagePlan.Unit unit : stage.units()) {
      int gradientBytes = unit.isLayer() ? 0 : precision.weights().bytes();
      memories.computeIfAbsent(unit.plan(), plan -> UnitMemory.of(plan, gradientBytes));
    }
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
    List<StagePlan.Unit> units = stage.units();
    long kept = 0;
    long peak = 0;
    for (Slot slot : stage.slots()) {
      if (slot.forward()) {
        for (StagePlan.Unit unit : units) {
          UnitMemory memory = of(unit);
          peak = Math.max(peak, kept + memory.forwardPeak());
          kept += memory.kept();
        }
      } else {
        for (int i = units.size() - 1; i >= 0; i--) {
          UnitMemory memory = of(units.get(i));
          kept -= memory.kept();
          peak = Math.max(peak, kept + memory.backwardPeak());
        }
      }
    }
    return peak;
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
      if (unit.isLayer()) {
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
    return placeholders + kept + Math.min(1 + ahead, layers) * largestLayer + scattered;
  }
}
