package org.stage.emit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import org.stage.api.workload.Details;
import org.stage.api.workload.Ids;
import org.stage.api.workload.Node;
import org.stage.api.workload.NodeHeader;
import org.stage.api.workload.Position;
import org.stage.api.workload.Precision;
import org.stage.api.workload.TensorType;
import org.stage.plan.BoundaryMessage;
import org.stage.plan.Durations;
import org.stage.plan.Instruction;
import org.stage.plan.StepPlan;
import org.stage.plan.UnitAction;
import org.stage.plan.UnitPlan;
import org.stage.schedule.Pass;
import org.stage.schedule.Pipeline;
import org.stage.schedule.Slot;
import org.stage.state.Action;
import org.stage.state.StateAction;
import org.stage.state.Work;

/**
 * Adds passes of micro-batches through a chunk of a pipeline stage to a graph: a pass is the same
 * block of actions for each micro-batch.
 */
final class ChunkEmitter {
  private final StepPlan plan;
  private final StepPlan.Chunk chunk;
  private final GraphWriter graph;
  private final Function<Action, Details> details;
  private final List<UnitEmitter> units = new ArrayList<>();

  /** By micro-batch: what came from another stage, output or gradient. */
  private final Map<Integer, TensorRef> outputs = new HashMap<>();

  private final Map<Integer, TensorRef> gradients = new HashMap<>();

  /** The last kernels of the passes before. */
  private Ids lastForward = Ids.NONE;

  private Ids lastBackward = Ids.NONE;

  private Ids lastCompleting = Ids.NONE;

  ChunkEmitter(
      StepPlan plan,
      StepPlan.Chunk chunk,
      GraphWriter graph,
      Durations durations,
      Precision precision) {
    this.plan = plan;
    this.chunk = chunk;
    this.graph = graph;
    this.details = durations.details(plan, "");
    for (StepPlan.Unit unit : chunk.units()) {
      int i = units.size();
      units.add(
          new UnitEmitter(
              unit,
              states(unit, precision),
              graph,
              durations.details(plan, unit.name()),
              microBatch ->
                  i == 0 ? received(outputs, microBatch) : units.get(i - 1).output(microBatch),
              microBatch ->
                  i == chunk.units().size() - 1
                      ? received(gradients, microBatch)
                      : units.get(i + 1).inputGradient(microBatch)));
    }
  }

  private StateEmitter states(StepPlan.Unit unit, Precision precision) {
    UnitPlan of = unit.plan();
    return new StateEmitter(unit.name(), of.states(), of.parameterTypes(), precision, graph);
  }

  private TensorRef received(Map<Integer, TensorRef> from, int microBatch) {
    TensorRef at = from.get(microBatch);
    if (at == null) {
      throw new IllegalStateException("chunk " + chunk.index() + " has not got " + microBatch);
    }
    return at;
  }

  /** Its modules in forward order. */
  List<UnitEmitter> units() {
    return units;
  }

  /** The last kernel of the pass that completed gradients last. */
  Ids lastCompleting() {
    return lastCompleting;
  }

  /** A pass, of which nothing is added yet. */
  PassRun begin(Slot slot) {
    return new PassRun(plan.pass(slot), each -> add(each, slot.microBatch()));
  }

  /** All of a pass is added. */
  void end(Slot slot, Ids lastKernel) {
    if (slot.pass() == Pass.FORWARD) {
      lastForward = lastKernel;
    } else if (slot.pass().isBackward()) {
      lastBackward = lastKernel;
    }
    if (slot.pass().completes()) {
      lastCompleting = lastKernel;
      units.forEach(unit -> unit.finish(slot.microBatch()));
      outputs.remove(slot.microBatch());
      gradients.remove(slot.microBatch());
    }
  }

  private void add(UnitAction each, int microBatch) {
    Action action = each.action();
    if (!plan.comes(action.moment(), chunk.index(), microBatch)) {
      return;
    }
    UnitEmitter unit = units.get(each.unit() - chunk.firstUnit());
    if (action instanceof Instruction instruction) {
      unit.add(instruction, microBatch);
    } else if (action instanceof StateAction) {
      boolean numbered = action.moment().isOfMicroBatches();
      OptionalInt number = numbered ? OptionalInt.of(microBatch) : OptionalInt.empty();
      unit.states().add(each, number, unit.details(action), Ids.NONE, Optional.empty());
    } else {
      add((BoundaryMessage) action, unit, microBatch);
    }
  }

  private void add(BoundaryMessage action, UnitEmitter unit, int microBatch) {
    Work.Message message = action.work();
    boolean sends = message.way() == Work.Message.Way.SEND;
    boolean forward = action.isForward();
    NodeHeader header =
        sends ? sent(action, unit, microBatch) : received(action, microBatch, forward);
    Pipeline pipeline = plan.pipeline();
    // Outputs go to the next position, and gradients come from there.
    boolean toNext = sends == forward;
    int offset =
        toNext
            ? pipeline.toNext(plan.stage(), chunk.index())
            : pipeline.toPrevious(plan.stage(), chunk.index());
    int tag = pipeline.tag(chunk.position() - (toNext ? 0 : 1), microBatch, forward);
    String axis = message.axis();
    long elements = message.elements();
    graph.add(
        sends
            ? new Node.Send(header, axis, offset, elements, message.type(), tag)
            : new Node.Recv(header, axis, offset, elements, message.type(), tag));
  }

  private NodeHeader received(BoundaryMessage action, int microBatch, boolean forward) {
    String prefix = prefix(microBatch);
    String what = prefix + "received." + (forward ? "forward" : "backward");
    TensorType type = TensorType.vector(action.work().elements(), action.work().type());
    TensorRef at = graph.written(what, type);
    (forward ? outputs : gradients).put(microBatch, at);
    return graph.header(
        prefix + action.name(),
        position(action, microBatch),
        action,
        new NodeHeader.Dependencies(Ids.NONE, forward ? lastForward : lastBackward),
        new NodeHeader.Access(Ids.NONE, Ids.of(at.id())),
        Details.NONE);
  }

  private NodeHeader sent(BoundaryMessage action, UnitEmitter from, int microBatch) {
    TensorRef at = action.isForward() ? from.output(microBatch) : from.inputGradient(microBatch);
    return graph.header(
        prefix(microBatch) + action.name(),
        position(action, microBatch),
        action,
        new NodeHeader.Dependencies(at.writer(), Ids.NONE),
        new NodeHeader.Access(Ids.of(at.id()), Ids.NONE),
        details.apply(action));
  }

  private Position position(BoundaryMessage action, int microBatch) {
    return new Position(OptionalInt.of(microBatch), "", inChunk() + action.name(), action.role());
  }

  private String prefix(int microBatch) {
    return "mb" + microBatch + "." + inChunk();
  }

  /** A micro-batch passes each chunk of a rank in the interleaved schedule. */
  private String inChunk() {
    return plan.pipeline().virtualStages() > 1 ? "chunk" + chunk.index() + "." : "";
  }
}
