package org.stage.instantiate;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.stage.api.graph.Element;
import org.stage.api.workload.DataType;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Ids;
import org.stage.api.workload.MatrixShape;
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
    long weightBytes = job.precision().weights().bytes();
    for (StagePlan.Unit unit : plan.units()) {
      units.add(new UnitInstance(unit.name(), unit.plan(), weightBytes, graph));
    }
    if (job.spec().model().tied() && plan.isFirst() && plan.isLast()) {
      Parameter table = units.get(0).parameter(ModelGraph.TABLE);
      units.get(units.size() - 1).borrow(ModelGraph.TABLE, table);
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
    plan.tied().ifPresent(sync -> reduce(tiedOwner(), sync, "tied.all-reduce"));
    units.forEach(this::update);
    return graph.finish();
  }

  private void forward(int microBatch) {
    Handle at = plan.isFirst() ? new Handle(-1, -1) : receive(microBatch, true, lastForward);
    for (UnitInstance unit : units) {
      at = unit.forward(microBatch, at);
    }
    lastForward = graph.lastKernel();
    if (!plan.isLast()) {
      send(microBatch, true, at);
    }
  }

  private void backward(int microBatch, boolean last) {
    Handle at = plan.isLast() ? new Handle(-1, -1) : receive(microBatch, false, lastBackward);
    for (int i = units.size() - 1; i >= 0; i--) {
      UnitInstance unit = units.get(i);
      at = unit.backward(microBatch, at);
      if (i == 0 && !plan.isFirst()) {
        // The stage before waits for this; the gradients of its own last module can wait.
        send(microBatch, false, at);
      }
      if (last) {
        for (UnitPlan.Sync sync : unit.plan().syncs()) {
          reduce(unit, sync, "grad." + sync.kind().text() + "." + sync.group().axisNames());
        }
      }
    }
    lastBackward = graph.lastKernel();
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
            Ids.of(tensor));
    int offset = forward ? -1 : 1;
    graph.add(new Node.Recv(header, "pp", offset, elements, activations, tag(microBatch, forward)));
    return new Handle(node, tensor);
  }

  private void send(int microBatch, boolean forward, Handle what) {
    Node.Header header =
        graph.header(
            "mb" + microBatch + ".send." + (forward ? "forward" : "backward"),
            forward ? Phase.FORWARD : Phase.BACKWARD,
            IntStream.of(what.node()),
            Ids.NONE,
            Ids.of(what.tensor()),
            Ids.NONE);
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

  private UnitInstance tiedOwner() {
    return plan.isFirst() ? units.get(0) : units.get(units.size() - 1);
  }

  /** Reduces gradients where they lie: the collective writes their next version. */
  private void reduce(UnitInstance unit, UnitPlan.Sync sync, String what) {
    List<Parameter> of = sync.parameters().stream().map(unit::parameter).toList();
    int[] deps = of.stream().mapToInt(Parameter::gradientNode).toArray();
    Ids reads = Ids.sorted(of.stream().flatMapToInt(p -> p.gradient().stream()));
    int node = graph.next();
    long bytes = job.precision().gradients().bytes();
    int[] writes = new int[of.size()];
    for (int i = 0; i < writes.length; i++) {
      String parameter = sync.parameters().get(i);
      long elements = unit.plan().parameters().getOrDefault(parameter, 0L);
      writes[i] = of.get(i).accumulate(graph, node, elements * bytes);
    }
    Node.Header header =
        graph.header(
            unit.name() + "." + what,
            Phase.BACKWARD,
            IntStream.of(deps),
            Ids.NONE,
            reads,
            Ids.of(writes));
    graph.add(new Node.Collective(header, sync.kind(), sync.elements(), sync.type(), sync.group()));
  }

  private void update(UnitInstance unit) {
    long elements = unit.plan().parameterElements();
    if (elements == 0) {
      return;
    }
    OptimizerCost cost =
        OptimizerCost.of(job.spec().training().optimizer(), job.precision(), elements);
    List<Parameter> owned = unit.owned();
    int states = graph.tensor(unit.name() + "." + cost.operator() + ".states", cost.stateBytes());
    int[] deps = owned.stream().mapToInt(Parameter::gradientNode).toArray();
    Ids reads =
        Ids.sorted(
            Stream.of(
                    owned.stream().mapToInt(Parameter::tensor),
                    owned.stream().flatMapToInt(p -> p.gradient().stream()),
                    IntStream.of(states))
                .flatMapToInt(s -> s));
    int written =
        graph.tensor(unit.name() + "." + cost.operator() + ".updated", cost.bytesWritten());
    Node.Header header =
        graph.header(
            unit.name() + "." + cost.operator(),
            Phase.OPTIMIZER,
            IntStream.of(deps),
            graph.turnDeps(IntStream.of(deps)),
            reads,
            Ids.of(written));
    graph.add(
        new Node.Compute(
            header,
            cost.operator(),
            MatrixShape.NONE,
            0,
            cost.otherFlops(),
            cost.bytesRead(),
            cost.bytesWritten()));
  }
}
