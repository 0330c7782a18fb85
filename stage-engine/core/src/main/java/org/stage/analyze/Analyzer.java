package org.stage.analyze;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Group;
import org.stage.api.workload.Phase;
import org.stage.instantiate.Exchange;
import org.stage.instantiate.GradientNorm;
import org.stage.instantiate.JobPlan;
import org.stage.instantiate.OptimizerCost;
import org.stage.instantiate.Program.Instruction;
import org.stage.instantiate.StagePlan;
import org.stage.instantiate.Sync;
import org.stage.instantiate.UnitPlan;
import org.stage.model.ModelGraph;

/** Adds up the programs of a job: each module once, times layers and micro-batches. */
public final class Analyzer {
  private final JobPlan job;
  private final StagePlan stage;
  private final long microBatches;
  private final Map<Phase, Long> flops = new EnumMap<>(Phase.class);
  private final Map<String, Analysis.Traffic> traffic = new TreeMap<>();
  private long nodes;
  private long otherFlops;
  private long parameters;

  private Analyzer(JobPlan job, StagePlan stage) {
    this.job = job;
    this.stage = stage;
    this.microBatches = stage.microBatches();
    for (Phase phase : Phase.values()) {
      flops.put(phase, 0L);
    }
  }

  /** Analyses a job. */
  public static Analysis of(JobPlan job, ModelGraph model) {
    List<Analysis.OfClass> classes = new ArrayList<>();
    for (StagePlan stage : job.stagePlans()) {
      classes.add(new Analyzer(job, stage).analyze());
    }
    classes.sort((a, b) -> Integer.compare(a.ranks().first(), b.ranks().first()));
    return new Analysis(
        job.spec().model().name(),
        model.parameters(),
        model.activeParameters(),
        job.spec().mesh(),
        classes);
  }

  /** The memory of each class over a step, classes in the order of {@link #of}. */
  public static List<MemoryTimeline> memory(JobPlan job) {
    List<MemoryTimeline> timelines = new ArrayList<>();
    for (StagePlan stage : job.stagePlans()) {
      timelines.add(
          new MemoryTimeline(stage.stage(), stage.ranks(), new MemoryModel(job, stage).moments()));
    }
    timelines.sort((a, b) -> Integer.compare(a.ranks().first(), b.ranks().first()));
    return timelines;
  }

  private Analysis.OfClass analyze() {
    // By identity: all layers of a stage share one plan, and plans are long to compare.
    IdentityHashMap<UnitPlan, Long> counts = new IdentityHashMap<>();
    stage.units().forEach(unit -> counts.merge(unit.plan(), 1L, Long::sum));
    counts.forEach(this::add);
    stage.tied().ifPresent(sync -> add(sync, 1));
    addNodes(Math.multiplyExact(2, Offloads.in(job, stage))); // there and back
    if (job.spec().training().optimizer().clipsGradients()) {
      addGradientNorm(stage);
    }
    int boundaries = stage.forwardSends() + stage.backwardSends();
    if (boundaries > 0) {
      // Forward over one boundary is a send and over the other a receive; backward the reverse.
      pointToPoint("send", boundaries);
      pointToPoint("recv", boundaries);
    }
    return new Analysis.OfClass(
        stage.stage(),
        stage.ranks(),
        nodes,
        flops,
        otherFlops,
        List.copyOf(traffic.values()),
        parameters,
        new MemoryModel(job, stage).peak());
  }

  private void addGradientNorm(StagePlan stage) {
    long[] shards =
        stage.units().stream()
            .mapToLong(unit -> unit.plan().exchange().shard())
            .filter(shard -> shard > 0)
            .toArray();
    addNodes(shards.length == 1 ? 1 : shards.length + 1);
    addOtherFlops(1, shards.length - 1L);
    for (long shard : shards) {
      addOtherFlops(1, GradientNorm.otherFlops(shard));
    }
    GradientNorm.reduction(job.spec().mesh()).ifPresent(sync -> add(sync, 1));
  }

  private void add(UnitPlan unit, long times) {
    add(unit.forward().instructions(), Phase.FORWARD, times);
    add(unit.again().instructions(), Phase.RECOMPUTE, times);
    add(unit.backward().instructions(), Phase.BACKWARD, times);
    Exchange exchange = unit.exchange();
    exchange.perStep().forEach(sync -> add(sync, times));
    job.copies(stage, unit).forEach(sync -> add(sync, times));
    exchange.perMicroBatch().forEach(sync -> add(sync, Math.multiplyExact(times, microBatches)));
    long elements = Math.multiplyExact(times, unit.parameterElements());
    parameters = Math.addExact(parameters, elements);
    long shard = exchange.shard();
    if (exchange.accumulates()) {
      // Shards of all micro-batches but the first are added to those before.
      long count = Math.multiplyExact(times, microBatches - 1);
      for (Sync sync : exchange.eachBackward()) {
        addNodes(count);
        addOtherFlops(count, sync.elements() / sync.group().size());
      }
    }
    if (shard > 0) {
      addNodes(times);
      addOtherFlops(
          times,
          OptimizerCost.of(job.spec().training().optimizer().kind(), job.precision(), shard)
              .otherFlops());
    }
  }

  private void add(List<Instruction> instructions, Phase phase, long times) {
    long count = Math.multiplyExact(times, microBatches);
    for (Instruction instruction : instructions) {
      addNodes(count);
      if (instruction instanceof Instruction.Kernel kernel) {
        flops.merge(phase, Math.multiplyExact(count, kernel.flops()), Math::addExact);
        addOtherFlops(count, kernel.otherFlops());
      } else if (instruction instanceof Instruction.Transfer move) {
        add(move.kind().text(), move.group(), move.type(), count, move.elements());
      } else if (instruction instanceof Instruction.Shift shift) {
        addNodes(count); // a receive besides
        Group pair = new Group.Members(shift.axis(), List.of(0, 1));
        add("send", pair, shift.type(), count, shift.elements());
        add("recv", pair, shift.type(), count, shift.elements());
      }
    }
  }

  private void addNodes(long count) {
    nodes = Math.addExact(nodes, count);
  }

  private void addOtherFlops(long times, long operations) {
    otherFlops = Math.addExact(otherFlops, Math.multiplyExact(times, operations));
  }

  private void add(Sync sync, long times) {
    addNodes(times);
    add(sync.kind().text(), sync.group(), sync.type(), times, sync.elements());
  }

  private void pointToPoint(String kind, int boundaries) {
    long count = Math.multiplyExact(boundaries, microBatches);
    addNodes(count);
    Group pair = new Group.Members("pp", List.of(0, 1));
    add(kind, pair, job.precision().activations(), count, job.boundaryElements());
  }

  private void add(String kind, Group group, DataType type, long count, long elements) {
    long sum = Math.multiplyExact(count, elements);
    Analysis.Traffic one =
        new Analysis.Traffic(
            kind, group.axisNames(), group.size(), type, count, sum, type.bytes(sum));
    String key = kind + " " + group.axisNames() + " " + group.size() + " " + type.text();
    traffic.merge(key, one, Analyzer::sum);
  }

  private static Analysis.Traffic sum(Analysis.Traffic a, Analysis.Traffic b) {
    return new Analysis.Traffic(
        a.kind(),
        a.axis(),
        a.groupSize(),
        a.type(),
        Math.addExact(a.count(), b.count()),
        Math.addExact(a.elements(), b.elements()),
        Math.addExact(a.bytes(), b.bytes()));
  }
}
