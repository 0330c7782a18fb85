package org.stage.instantiate;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.stage.api.graph.Element;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Details;
import org.stage.api.workload.Ids;
import org.stage.api.workload.Node;
import org.stage.api.workload.Phase;
import org.stage.job.Training;
import org.stage.schedule.Pipeline;
import org.stage.schedule.Slot;

/**
 * A chunk of a pipeline stage while a graph is built: adds passes of micro-batches through it, with
 * what it receives and sends. A pass is a list of steps, so that two passes can be added by turns.
 */
final class ChunkInstance {
  private final JobPlan job;
  private final StagePlan plan;
  private final StagePlan.Chunk chunk;
  private final GraphWriter graph;
  private final DataType activations;
  private final List<UnitInstance> units = new ArrayList<>();
  private final List<UnitInstance> reverse;
  private int lastForward = -1;
  private int lastBackward = -1;

  ChunkInstance(JobPlan job, StagePlan plan, StagePlan.Chunk chunk, GraphWriter graph) {
    this.job = job;
    this.plan = plan;
    this.chunk = chunk;
    this.graph = graph;
    this.activations = job.precision().of(Element.ACTIVATION);
    for (StagePlan.Unit unit : chunk.units()) {
      UnitStates states = new UnitStates(unit.name(), unit.plan(), job.precision(), graph);
      boolean offloads =
          unit.isLayer() && job.spec().training().offload() == Training.Offload.ACTIVATIONS;
      units.add(new UnitInstance(states, graph, offloads));
    }
    reverse = new ArrayList<>(units);
    Collections.reverse(reverse);
  }

  /** Its modules in forward order. */
  List<UnitInstance> units() {
    return units;
  }

  StagePlan.Chunk chunk() {
    return chunk;
  }

  /** The steps of a pass. */
  Steps steps(Slot slot) {
    Steps steps = new Steps();
    switch (slot.pass()) {
      case FORWARD -> forward(slot.microBatch(), steps);
      case BACKWARD, INPUT_GRADIENTS -> backward(slot, steps);
      case WEIGHT_GRADIENTS -> weights(slot.microBatch(), steps);
    }
    return steps;
  }

  private void forward(int microBatch, Steps steps) {
    Relay relay = new Relay();
    if (!chunk.isFirst()) {
      steps.add(() -> relay.set(receive(microBatch, true, lastForward)));
    }
    for (int i = 0; i < units.size(); i++) {
      int at = i;
      steps.add(() -> gatherAhead(units, at, microBatch, Phase.FORWARD));
      units.get(i).forward(microBatch, relay, steps);
    }
    steps.add(() -> lastForward = graph.lastKernel());
    if (!chunk.isLast()) {
      steps.addCommunication(() -> send(microBatch, true, relay.at()));
    }
  }

  private void backward(Slot slot, Steps steps) {
    int microBatch = slot.microBatch();
    Relay relay = new Relay();
    if (!chunk.isLast()) {
      steps.add(() -> relay.set(receive(microBatch, false, lastBackward)));
    }
    for (int i = 0; i < reverse.size(); i++) {
      int at = i;
      steps.add(() -> gatherAhead(reverse, at, microBatch, Phase.BACKWARD));
      steps.add(() -> reloadAhead(at, microBatch));
      UnitInstance unit = reverse.get(i);
      if (slot.pass().completes()) {
        unit.backward(microBatch, relay, steps);
      } else {
        unit.inputGradients(microBatch, relay, steps);
      }
      if (i == reverse.size() - 1 && !chunk.isFirst()) {
        // The stage before waits for this; the gradients of its own last module can wait.
        steps.addCommunication(() -> send(microBatch, false, relay.at()));
      }
      if (slot.pass().completes()) {
        steps.add(() -> reduce(unit.states(), microBatch));
      }
    }
    steps.add(() -> lastBackward = graph.lastKernel());
  }

  private void weights(int microBatch, Steps steps) {
    for (UnitInstance unit : reverse) {
      unit.weightGradients(microBatch, steps);
      steps.add(() -> reduce(unit.states(), microBatch));
    }
  }

  /**
   * Gathers the parameters of the module that comes {@code prefetch} after the {@code i}th, before
   * that one computes; before the first, those of all up to it.
   */
  private void gatherAhead(List<UnitInstance> order, int i, int microBatch, Phase phase) {
    int ahead = job.spec().training().sharding().prefetch();
    int from = i == 0 ? 0 : i + ahead;
    for (int next = from; next <= Math.min(i + ahead, order.size() - 1); next++) {
      UnitStates states = order.get(next).states();
      Exchange exchange = states.plan().exchange();
      boolean forward = phase == Phase.FORWARD;
      (forward ? exchange.beforeForward() : exchange.beforeBackward())
          .forEach(sync -> states.gather(sync, "mb" + microBatch + ".", phase, graph.lastKernel()));
    }
  }

  /**
   * Brings back what the module behind the {@code i}th reads, and before the first also its own.
   */
  private void reloadAhead(int i, int microBatch) {
    if (i == 0) {
      reverse.get(0).reload(microBatch);
    }
    if (i + 1 < reverse.size()) {
      reverse.get(i + 1).reload(microBatch);
    }
  }

  private void reduce(UnitStates states, int microBatch) {
    Exchange exchange = states.plan().exchange();
    String name = states.name() + ".";
    for (Sync sync : exchange.eachBackward()) {
      states.reduce(sync, "mb" + microBatch + "." + name + Exchange.reduction(sync));
    }
    Pipeline pipeline = plan.pipeline();
    int end = pipeline.firstMicroBatch(chunk.index()) + pipeline.microBatchesOfChunk();
    if (microBatch == end - 1) {
      for (Sync sync : exchange.lastBackward()) {
        states.reduce(sync, name + Exchange.reduction(sync));
      }
    }
  }

  private Handle receive(int microBatch, boolean forward, int frees) {
    String prefix = prefix(microBatch);
    String what = forward ? "forward" : "backward";
    long elements = job.boundaryElements();
    int tensor = graph.tensor(prefix + "received." + what, activations.bytes(elements));
    int node = graph.next();
    Node.Header header =
        graph.header(
            prefix + "recv." + what,
            forward ? Phase.FORWARD : Phase.BACKWARD,
            IntStream.empty(),
            frees < 0 ? Ids.NONE : Ids.of(frees),
            Ids.NONE,
            Ids.of(tensor),
            Details.NONE);
    Pipeline pipeline = plan.pipeline();
    int offset =
        forward
            ? pipeline.toPrevious(plan.stage(), chunk.index())
            : pipeline.toNext(plan.stage(), chunk.index());
    int lower = forward ? chunk.position() - 1 : chunk.position();
    int tag = pipeline.tag(lower, microBatch, forward);
    graph.add(new Node.Recv(header, "pp", offset, elements, activations, tag));
    return new Handle(node, tensor);
  }

  private void send(int microBatch, boolean forward, Handle what) {
    String name = forward ? Timing.SEND_FORWARD : Timing.SEND_BACKWARD;
    Node.Header header =
        graph.header(
            prefix(microBatch) + name,
            forward ? Phase.FORWARD : Phase.BACKWARD,
            IntStream.of(what.node()),
            Ids.NONE,
            Ids.of(what.tensor()),
            Ids.NONE,
            GraphWriter.lasting(job.timing().of(name)));
    Pipeline pipeline = plan.pipeline();
    int offset =
        forward
            ? pipeline.toNext(plan.stage(), chunk.index())
            : pipeline.toPrevious(plan.stage(), chunk.index());
    int lower = forward ? chunk.position() : chunk.position() - 1;
    int tag = pipeline.tag(lower, microBatch, forward);
    graph.add(new Node.Send(header, "pp", offset, job.boundaryElements(), activations, tag));
  }

  /** A micro-batch passes each chunk of a rank in the interleaved schedule. */
  private String prefix(int microBatch) {
    boolean several = plan.pipeline().virtualStages() > 1;
    return "mb" + microBatch + "." + (several ? "chunk" + chunk.index() + "." : "");
  }
}
