package org.stage.calibrate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.stage.api.graph.OperatorKind;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Group;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Node.Collective;
import org.stage.arithmetic.Sums;
import org.stage.instantiate.Exchange;
import org.stage.instantiate.JobPlan;
import org.stage.instantiate.OptimizerCost;
import org.stage.instantiate.Program;
import org.stage.instantiate.Program.Instruction;
import org.stage.instantiate.Sync;
import org.stage.instantiate.UnitPlan;
import org.stage.job.Optimizer;

/** What a module does in a step, in the words of profiles; names are those inside the module. */
final class UnitWork {
  private static final Map<Collective.Kind, Kind> COLLECTIVES =
      Map.of(
          Collective.Kind.ALL_REDUCE, Kind.ALL_REDUCE,
          Collective.Kind.ALL_GATHER, Kind.ALL_GATHER,
          Collective.Kind.REDUCE_SCATTER, Kind.REDUCE_SCATTER,
          Collective.Kind.ALL_TO_ALL, Kind.ALL_TO_ALL,
          Collective.Kind.REDUCE, Kind.REDUCE,
          Collective.Kind.BROADCAST, Kind.BROADCAST,
          Collective.Kind.BARRIER, Kind.BARRIER);

  private final JobPlan job;
  private final long microBatches;
  private final List<Work> all = new ArrayList<>();

  private UnitWork(JobPlan job) {
    this.job = job;
    this.microBatches = job.pipeline().microBatchesOfChunk();
  }

  /** The work of {@code plan}, each instruction once. */
  static List<Work> of(JobPlan job, UnitPlan plan) {
    UnitWork work = new UnitWork(job);
    for (Instruction each : plan.forward().instructions()) {
      long again = plan.again().instructions().contains(each) ? 2 : 1;
      work.add(plan.forward(), each, false, Math.multiplyExact(again, work.microBatches));
    }
    for (Instruction each : plan.backward().instructions()) {
      work.add(plan.backward(), each, true, work.microBatches);
    }
    Exchange exchange = plan.exchange();
    work.addSyncs(exchange);
    work.addStates(exchange);
    return work.all;
  }

  /** A collective beside all modules. */
  static Work of(String name, Sync sync, long perStep) {
    return transfer(name, sync.kind(), sync.type(), sync.elements(), sync.group(), perStep);
  }

  /** What a stage sends to a neighbour, from {@code chunks} of its chunks. */
  static Work send(JobPlan job, String name, int chunks) {
    long perStep = (long) chunks * job.pipeline().microBatchesOfChunk();
    return send(name, job.precision().activations(), job.boundaryElements(), perStep);
  }

  private static Work send(String name, DataType type, long elements, long perStep) {
    Work.Size size = Work.Size.ofTransfer(type.text(), type.bytes(), elements, 2);
    return new Work(name, Kind.SEND, "send", false, size, Work.Cost.NONE, perStep);
  }

  private void addSyncs(Exchange exchange) {
    exchange.beforeForward().forEach(sync -> add(Exchange.gather(sync), sync, microBatches));
    exchange
        .beforeBackward()
        .forEach(sync -> add(Exchange.gather(sync) + Exchange.BACKWARD, sync, microBatches));
    exchange.eachBackward().forEach(sync -> add(Exchange.reduction(sync), sync, microBatches));
    exchange.lastBackward().forEach(sync -> add(Exchange.reduction(sync), sync, 1));
    exchange.afterUpdate().forEach(sync -> add(Exchange.gather(sync), sync, 1));
  }

  private void add(String name, Sync sync, long perStep) {
    all.add(of(name, sync, perStep));
  }

  private void add(Program program, Instruction each, boolean backward, long perStep) {
    if (each instanceof Instruction.Transfer move) {
      all.add(
          transfer(move.name(), move.kind(), move.type(), move.elements(), move.group(), perStep));
      return;
    }
    if (each instanceof Instruction.Shift shift) {
      all.add(send(shift.name(), shift.type(), shift.elements(), perStep));
      return;
    }
    Instruction.Kernel kernel = (Instruction.Kernel) each;
    boolean scaled = kernel.operator().equals(OperatorKind.SCALED_EINSUM.text());
    DataType type = scaled ? DataType.FP8 : job.precision().activations();
    boolean products = !kernel.shape().equals(MatrixShape.NONE);
    long elements = products ? 0 : elements(program, kernel);
    Work.Size size = new Work.Size(kernel.shape(), type.text(), type.bytes(), elements, 0, 0);
    Work.Cost cost =
        new Work.Cost(
            kernel.flops(),
            kernel.otherFlops(),
            Math.addExact(kernel.bytesRead(), kernel.bytesWritten()));
    all.add(
        new Work(kernel.name(), kind(kernel), kernel.operator(), backward, size, cost, perStep));
  }

  /** Elements as profiles count them: of a norm what it normalises, of a look-up its rows. */
  private static long elements(Program program, Instruction.Kernel kernel) {
    Kind kind = kind(kernel);
    boolean looksUp = kernel.operator().equals(OperatorKind.LOOKUP.text());
    List<Integer> tensors = looksUp ? kernel.writes() : kernel.reads();
    LongStream sizes = tensors.stream().mapToLong(v -> program.variables().get(v).elements());
    return kind == Kind.NORM || kind == Kind.EMBEDDING ? sizes.max().orElse(0) : Sums.of(sizes);
  }

  private static Kind kind(Instruction.Kernel kernel) {
    Optional<OperatorKind> operator = OperatorKind.ofText(kernel.operator());
    if (operator.isEmpty()) {
      return Kind.ELEMENTWISE;
    }
    return switch (operator.get()) {
      case EINSUM, SCALED_EINSUM -> Kind.GEMM;
      case ATTENTION, ATTENTION_GRAD -> Kind.ATTENTION;
      case LAYER_NORM, LAYER_NORM_GRAD, RMS_NORM, RMS_NORM_GRAD -> Kind.NORM;
      case LOOKUP, LOOKUP_GRAD -> Kind.EMBEDDING;
      default -> Kind.ELEMENTWISE;
    };
  }

  private void addStates(Exchange exchange) {
    if (exchange.accumulates() && microBatches > 1) {
      exchange.eachBackward().forEach(this::addAccumulation);
    }
    long shard = exchange.shard();
    if (shard > 0) {
      Optimizer.Kind optimizer = job.spec().training().optimizer().kind();
      OptimizerCost update = OptimizerCost.of(optimizer, job.precision(), shard);
      // As profiles count: parameters and gradients, with Adam two moments besides.
      long tensors = optimizer == Optimizer.Kind.ADAM ? 4 : 2;
      Work.Size size =
          new Work.Size(
              MatrixShape.NONE,
              DataType.FP32.text(),
              DataType.FP32.bytes(),
              Math.multiplyExact(tensors, shard),
              0,
              0);
      Work.Cost cost =
          new Work.Cost(
              0, update.otherFlops(), Math.addExact(update.bytesRead(), update.bytesWritten()));
      all.add(new Work(update.operator(), Kind.OPTIMIZER, update.operator(), false, size, cost, 1));
    }
  }

  /** Shards of all micro-batches but the first are added to those before. */
  private void addAccumulation(Sync sync) {
    if (sync.of() != Sync.Of.GRADIENTS_TO_SHARD) {
      return;
    }
    long shard = sync.elements() / sync.group().size();
    DataType type = sync.type();
    long added = Math.multiplyExact(2, shard);
    Work.Size size = new Work.Size(MatrixShape.NONE, type.text(), type.bytes(), added, 0, 0);
    Work.Cost cost = new Work.Cost(0, shard, type.bytes(Math.multiplyExact(3, shard)));
    String name = Exchange.reduction(sync) + Exchange.ACCUMULATE;
    all.add(new Work(name, Kind.ELEMENTWISE, "add", true, size, cost, microBatches - 1));
  }

  private static Work transfer(
      String name, Collective.Kind kind, DataType type, long elements, Group group, long perStep) {
    Kind measured = COLLECTIVES.getOrDefault(kind, Kind.OTHER_COMMUNICATION);
    Work.Size size = Work.Size.ofTransfer(type.text(), type.bytes(), elements, group.size());
    return new Work(name, measured, kind.text(), false, size, Work.Cost.NONE, perStep);
  }
}
