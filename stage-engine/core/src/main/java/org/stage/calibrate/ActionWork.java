package org.stage.calibrate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.stage.api.graph.Element;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Group;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.Node.Collective;
import org.stage.api.workload.Phase;
import org.stage.api.workload.TensorType;
import org.stage.arithmetic.Sums;
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
  private final Biases biases;

  private ActionWork(JobPlan job, UnitPlan unit) {
    this.job = job;
    this.biases = Biases.of(unit, job.operators());
  }

  /**
   * The work of a module, each action once; what runs again in backward counts with its first run.
   */
  static List<ProfileWork> of(JobPlan job, UnitPlan unit) {
    long microBatches = job.pipeline().microBatchesOfChunk();
    ActionWork works = new ActionWork(job, unit);
    List<ProfileWork> all = new ArrayList<>();
    for (Action action : unit.actions()) {
      long runs = action instanceof Instruction each && unit.recomputed().repeats(each) ? 2 : 1;
      long times = Math.multiplyExact(runs, action.moment().times(microBatches));
      if (times > 0 && action.moment() != Moment.RECOMPUTATION) {
        works.of(action, times).ifPresent(all::add);
      }
    }
    return all;
  }

  /** An action on a module; of receives and copies to host memory profiles tell nothing. */
  static Optional<ProfileWork> of(JobPlan job, UnitPlan unit, Action action, long perStep) {
    return new ActionWork(job, unit).of(action, perStep);
  }

  private Optional<ProfileWork> of(Action action, long perStep) {
    if (action.work() instanceof Transfer move) {
      Kind kind = COLLECTIVES.getOrDefault(move.kind(), Kind.OTHER_COMMUNICATION);
      Group group = move.group();
      ProfileWork.Size size = transfer(move.type(), move.elements(), group.size(), span(group));
      String name = move.kind().text();
      return Optional.of(
          new ProfileWork(action.name(), kind, name, false, size, ProfileWork.Cost.NONE, perStep));
    }
    if (action.work() instanceof Message message) {
      int span = job.job().mesh().stride(message.axis()) + 1;
      ProfileWork.Size size = transfer(message.type(), message.elements(), 2, span);
      return message.way() == Message.Way.RECEIVE
          ? Optional.empty()
          : Optional.of(
              new ProfileWork(
                  action.name(), Kind.SEND, "send", false, size, ProfileWork.Cost.NONE, perStep));
    }
    return action.work() instanceof Kernel kernel
        ? Optional.of(of(action, kernel, perStep))
        : Optional.empty();
  }

  /** How far apart the members of a group lie, the first and the last included. */
  private int span(Group group) {
    Mesh mesh = job.job().mesh();
    if (group instanceof Group.Members some) {
      List<Integer> at = some.coordinates();
      return (at.get(at.size() - 1) - at.get(0)) * mesh.stride(some.axis()) + 1;
    }
    List<Integer> members = mesh.members(group, 0);
    return members.get(members.size() - 1) - members.get(0) + 1;
  }

  private static ProfileWork.Size transfer(DataType type, long elements, int groupSize, int span) {
    return ProfileWork.Size.ofTransfer(type.text(), type.bytes(), elements, groupSize, span);
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
    long elements = action instanceof StateAction ? read(kernel) : elements(kernel);
    ProfileWork.Size size =
        ProfileWork.Size.ofComputation(kernel.shape(), type.text(), type.bytes(), elements)
            .adding(added(action, kernel));
    return new ProfileWork(action.name(), kind, kernel.operator(), ofBackward, size, cost, perStep);
  }

  /** That of the first operand, as profiles tell it. */
  private DataType type(Action action, Kernel kernel) {
    Element element = action instanceof StateAction ? Element.GRADIENT : Element.ACTIVATION;
    return kernel.inputs().isEmpty() ? job.precision().of(element) : kernel.inputs().get(0).type();
  }

  /** Of a product bytes of the bias that a kernel after it adds, or of what it is added to. */
  private long added(Action action, Kernel kernel) {
    boolean products = kind(kernel) == Kind.GEMM && !kernel.shape().equals(MatrixShape.NONE);
    if (!products || kernel.outputs().size() != 1) {
      return 0;
    }
    long beside =
        kernel.bytesRead() - Sums.of(kernel.inputs().stream().mapToLong(TensorType::bytes));
    boolean accumulates = beside == kernel.outputs().get(0).bytes();
    return accumulates ? beside : biases.bytes().getOrDefault(action.name(), 0L);
  }

  private static long read(Kernel kernel) {
    return Sums.of(kernel.inputs().stream().mapToLong(TensorType::elements));
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
