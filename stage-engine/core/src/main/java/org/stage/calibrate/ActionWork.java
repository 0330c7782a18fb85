package org.stage.calibrate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.stage.api.graph.Element;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.workload.DataType;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Node.Collective;
import org.stage.api.workload.Phase;
import org.stage.api.workload.TensorType;
import org.stage.arithmetic.Sums;
import org.stage.job.Optimizer;
import org.stage.operator.OperatorRule;
import org.stage.plan.Instruction;
import org.stage.plan.JobPlan;
import org.stage.plan.UnitPlan;
import org.stage.state.Action;
import org.stage.state.Moment;
import org.stage.state.StateAction;
import org.stage.state.Work.Kernel;
import org.stage.state.Work.Message;
import org.stage.state.Work.Transfer;

/** What a device does in a step, in the words of profiles; names are those inside the module. */
final class ActionWork {
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
  private final UnitPlan unit;

  private ActionWork(JobPlan job, UnitPlan unit) {
    this.job = job;
    this.unit = unit;
  }

  /**
   * The work of a module, each action once; what runs again in backward counts with its first run.
   */
  static List<ProfileWork> of(JobPlan job, UnitPlan unit) {
    long microBatches = job.pipeline().microBatchesOfChunk();
    List<ProfileWork> all = new ArrayList<>();
    for (Action action : unit.actions()) {
      long runs = action instanceof Instruction each && unit.recomputed().repeats(each) ? 2 : 1;
      long times = Math.multiplyExact(runs, action.moment().times(microBatches));
      if (times > 0 && action.moment() != Moment.RECOMPUTATION) {
        of(job, unit, action, times).ifPresent(all::add);
      }
    }
    return all;
  }

  /** An action on a module; of receives and copies to host memory profiles tell nothing. */
  static Optional<ProfileWork> of(JobPlan job, UnitPlan unit, Action action, long perStep) {
    if (action.work() instanceof Transfer move) {
      Kind kind = COLLECTIVES.getOrDefault(move.kind(), Kind.OTHER_COMMUNICATION);
      ProfileWork.Size size = transfer(move.type(), move.elements(), move.group().size());
      String name = move.kind().text();
      return Optional.of(
          new ProfileWork(action.name(), kind, name, false, size, ProfileWork.Cost.NONE, perStep));
    }
    if (action.work() instanceof Message message) {
      ProfileWork.Size size = transfer(message.type(), message.elements(), 2);
      return message.way() == Message.Way.RECEIVE
          ? Optional.empty()
          : Optional.of(
              new ProfileWork(
                  action.name(), Kind.SEND, "send", false, size, ProfileWork.Cost.NONE, perStep));
    }
    return action.work() instanceof Kernel kernel
        ? Optional.of(new ActionWork(job, unit).of(action, kernel, perStep))
        : Optional.empty();
  }

  private static ProfileWork.Size transfer(DataType type, long elements, int groupSize) {
    return ProfileWork.Size.ofTransfer(type.text(), type.bytes(), elements, groupSize);
  }

  private ProfileWork of(Action action, Kernel kernel, long perStep) {
    ProfileWork.Cost cost =
        new ProfileWork.Cost(
            kernel.flops(),
            kernel.otherFlops(),
            Math.addExact(kernel.bytesRead(), kernel.bytesWritten()));
    boolean ofBackward = action.moment().phase() == Phase.BACKWARD;
    boolean updates = action instanceof StateAction on && on.kind() == StateAction.Kind.UPDATE;
    Kind kind = updates ? Kind.OPTIMIZER : kind(kernel);
    DataType type = type(action, kernel);
    long elements = action instanceof StateAction on ? elements(on, kernel) : elements(kernel);
    ProfileWork.Size size =
        new ProfileWork.Size(kernel.shape(), type.text(), type.bytes(), elements, 0, 0);
    return new ProfileWork(action.name(), kind, kernel.operator(), ofBackward, size, cost, perStep);
  }

  /** Products of 8 bits are named by what they read; all else is by activations. */
  private DataType type(Action action, Kernel kernel) {
    if (action instanceof StateAction on) {
      return switch (on.kind()) {
        case UPDATE, NORM_SUM -> DataType.FP32;
        default -> job.precision().of(Element.GRADIENT);
      };
    }
    DataType eightBits = job.precision().of(Element.QUANTIZED);
    boolean scaled = kernel.inputs().stream().anyMatch(input -> input.type() == eightBits);
    return scaled ? eightBits : job.precision().of(Element.ACTIVATION);
  }

  /** As profiles count: of an update parameters and gradients, with Adam two moments besides. */
  private long elements(StateAction action, Kernel kernel) {
    boolean adam = job.job().training().optimizer().kind() == Optimizer.Kind.ADAM;
    return switch (action.kind()) {
      case UPDATE -> Math.multiplyExact(adam ? 4L : 2L, unit.states().updated());
      case SQUARE_SUM -> unit.states().updated();
      case ACCUMULATE -> Math.multiplyExact(2, kernel.otherFlops());
      default -> kernel.otherFlops() + 1;
    };
  }

  /** Elements as profiles count them: of a norm what it normalises, of a look-up its rows. */
  private long elements(Kernel kernel) {
    if (!kernel.shape().equals(MatrixShape.NONE)) {
      return 0;
    }
    Kind kind = kind(kernel);
    boolean byOutput =
        job.operators()
            .find(kernel.operator())
            .filter(OperatorRule::isMeasuredByOutput)
            .isPresent();
    List<TensorType> counted = byOutput ? kernel.outputs() : kernel.inputs();
    LongStream sizes = counted.stream().mapToLong(TensorType::elements);
    return kind == Kind.NORM || kind == Kind.EMBEDDING ? sizes.max().orElse(0) : Sums.of(sizes);
  }

  private Kind kind(Kernel kernel) {
    return job.operators()
        .find(kernel.operator())
        .map(OperatorRule::measuredAs)
        .orElse(Kind.ELEMENTWISE);
  }
}
