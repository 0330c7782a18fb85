package org.stage.instantiate;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.stage.api.graph.Element;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Details;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Ids;
import org.stage.api.workload.Node;
import org.stage.api.workload.Phase;
import org.stage.model.ModelGraph;
import org.stage.schedule.Slot;

/**
 * Builds the execution graph of one pipeline stage, turn by turn, in a legal order of execution.
 *
 * <p>That order is deadlock-free under any timing, even where a send blocks until its receive is
 * posted: a receive waits only for the last kernel of the micro-batch before (which frees its
 * buffer), and gradients are reduced where they become complete, but for those of a tied table,
 * which first and last stage can only exchange when all else is done.
 */
final class StageGraph {
  private final JobPlan job;
  private final StagePlan plan;
  private final GraphWriter graph = new GraphWriter();
  private final List<UnitInstance> units = new ArrayList<>();
  private final DataType activations;
  private int lastForward = -1;
  private int lastBackward = -1;

  private StageGraph(JobPlan job, StagePlan plan) {
    this.job = job;
    this.plan = plan;
    this.activations = job.precision().of(Element.ACTIVATION);
    for (StagePlan.Unit unit : plan.units()) {
      UnitStates states = new UnitStates(unit.name(), unit.plan(), job.precision(), graph);
      units.add(new UnitInstance(states, graph));
    }
    if (job.spec().model().tied() && plan.isFirst() && plan.isLast()) {
      Parameter table = units.get(0).states().parameter(ModelGraph.TABLE);
      units.get(units.size() - 1).states().borrow(ModelGraph.TABLE, table);
    }
  }

  static ExecutionGraph of(JobPlan job, StagePlan plan) {
    return new StageGraph(job, plan).build();
  }

  private ExecutionGraph build() {
    int lastMicroBatch = job.spec().training().microBatches() - 1;
    for (Slot slot : plan.slots()) {
      graph.beginTurn();
      if (slot.forward()) {
        forward(slot.microBatch());
      } else {
        backward(slot.microBatch(), slot.microBatch() == lastMicroBatch);
      }
    }
    graph.beginTurn();
    plan.tied().ifPresent(sync -> tiedOwner().reduce(sync, Timing.TIED));
    Handle norm = gradientNorm();
    for (UnitInstance unit : units) {
      long elements = unit.states().plan().exchange().shard();
      unit.states()
          .update(
              OptimizerCost.of(job.spec().training().optimizer(), job.precision(), elements), norm);
    }
    return graph.finish();
  }

  private Handle gradientNorm() {
    return job.spec().training().clipsGradients()
        ? GradientNorm.add(graph, job, units.stream().map(UnitInstance::states).toList())
        : Handle.NONE;
  }

  private UnitStates tiedOwner() {
    return units.get(plan.isFirst() ? 0 : units.size() - 1).states();
  }

  private void forward(int microBatch) {
    Handle at = plan.isFirst() ? Handle.NONE : receive(microBatch, true, lastForward);
    for (int i = 0; i < units.size(); i++) {
      gatherAhead(units, i, microBatch, Phase.FORWARD);
      at = units.get(i).forward(microBatch, at);
    }
    lastForward = graph.lastKernel();
    if (!plan.isLast()) {
      send(microBatch, true, at);
    }
  }

  private void backward(int microBatch, boolean last) {
    Handle at = plan.isLast() ? Handle.NONE : receive(microBatch, false, lastBackward);
    List<UnitInstance> reverse = new ArrayList<>(units);
    Collections.reverse(reverse);
    for (int i = 0; i < reverse.size(); i++) {
      gatherAhead(reverse, i, microBatch, Phase.BACKWARD);
      UnitInstance unit = reverse.get(i);
      at = unit.backward(microBatch, at);
      if (i == reverse.size() - 1 && !plan.isFirst()) {
        // The stage before waits for this; the gradients of its own last module can wait.
        send(microBatch, false, at);
      }
      reduce(unit.states(), microBatch, last);
    }
    lastBackward = graph.lastKernel();
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

  private void reduce(UnitStates states, int microBatch, boolean last) {
    Exchange exchange = states.plan().exchange();
    String name = states.name() + ".";
    for (Sync sync : exchange.eachBackward()) {
      states.reduce(sync, "mb" + microBatch + "." + name + Exchange.reduction(sync));
    }
    if (last) {
      for (Sync sync : exchange.lastBackward()) {
        states.reduce(sync, name + Exchange.reduction(sync));
      }
    }
  }

  private Handle receive(int microBatch, boolean forward, int frees) {
    String what = forward ? "forward" : "backward";
    long elements = boundaryElements();
    int tensor =
        graph.tensor("mb" + microBatch + ".received." + what, elements * activations.bytes());
    int node = graph.next();
    Node.Header header =
        graph.header(
            "mb" + microBatch + ".recv." + what,
            forward ? Phase.FORWARD : Phase.BACKWARD,
            IntStream.empty(),
            frees < 0 ? Ids.NONE : Ids.of(frees),
            Ids.NONE,
            Ids.of(tensor),
            Details.NONE);
    int offset = forward ? -1 : 1;
    graph.add(new Node.Recv(header, "pp", offset, elements, activations, tag(microBatch, forward)));
    return new Handle(node, tensor);
  }

  private void send(int microBatch, boolean forward, Handle what) {
    String name = forward ? Timing.SEND_FORWARD : Timing.SEND_BACKWARD;
    Node.Header header =
        graph.header(
            "mb" + microBatch + "." + name,
            forward ? Phase.FORWARD : Phase.BACKWARD,
            IntStream.of(what.node()),
            Ids.NONE,
            Ids.of(what.tensor()),
            Ids.NONE,
            GraphWriter.lasting(job.timing().of(name)));
    graph.add(
        new Node.Send(
            header,
            "pp",
            forward ? 1 : -1,
            boundaryElements(),
            activations,
            tag(microBatch, forward)));
  }

  /** Unique for each pair of ranks, also where next and previous stage are the same. */
  private static int tag(int microBatch, boolean forward) {
    return 2 * microBatch + (forward ? 0 : 1);
  }

  private long boundaryElements() {
    return job.boundaryElements();
  }
}
