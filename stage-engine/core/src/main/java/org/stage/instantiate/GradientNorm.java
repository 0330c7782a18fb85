package org.stage.instantiate;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Group;
import org.stage.api.workload.Ids;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.Node;
import org.stage.api.workload.Node.Collective;
import org.stage.api.workload.Phase;
import org.stage.api.workload.SubAxis;

/**
 * The norm of all gradients, by which they are clipped. Each rank squares and adds up the gradients
 * of the elements that it updates, module by module, and adds up the modules; one scalar is reduced
 * over all ranks. It comes when all gradients are complete, and before anything is updated. Scaling
 * is not counted: it is due only in the steps whose norm exceeds the bound.
 */
public final class GradientNorm {
  /** The name of the sum over the modules of a stage. */
  public static final String SUM = "grad_norm.sum";

  /** The name of the reduction over all ranks. */
  public static final String REDUCTION = "grad_norm.all-reduce";

  /** What a module's gradients are put through. */
  public static final String OPERATOR = "square_sum";

  private final GraphWriter graph;
  private final Timing timing;
  private final List<Handle> parts = new ArrayList<>();

  private GradientNorm(GraphWriter graph, Timing timing) {
    this.graph = graph;
    this.timing = timing;
  }

  /** The name of what a module adds to it. */
  public static String ofUnit(String unit) {
    return unit + ".grad_norm";
  }

  /** Operations on {@code elements} gradients of a module: a square and a sum each. */
  public static long otherFlops(long elements) {
    return Math.multiplyExact(2, elements);
  }

  /** The reduction of the scalar; empty if there is one rank. */
  public static Optional<Sync> reduction(Mesh mesh) {
    if (mesh.devices() == 1) {
      return Optional.empty();
    }
    List<SubAxis> all =
        mesh.axes().stream().filter(axis -> axis.degree() > 1).map(SubAxis::whole).toList();
    return Optional.of(
        new Sync(
            Collective.Kind.ALL_REDUCE,
            1,
            DataType.FP32,
            new Group.Along(all),
            Sync.Of.GRADIENTS,
            List.of(),
            0));
  }

  /** Adds it to a graph in which all gradients are complete; returns where the norm is. */
  static Handle add(GraphWriter graph, JobPlan job, List<UnitStates> units) {
    GradientNorm norm = new GradientNorm(graph, job.timing());
    DataType gradient = job.precision().gradients();
    units.forEach(unit -> norm.addUnit(unit, gradient));
    Handle own = norm.parts.size() == 1 ? norm.parts.get(0) : norm.sum();
    return reduction(job.spec().mesh()).map(sync -> norm.reduce(sync, own)).orElse(own);
  }

  private void addUnit(UnitStates unit, DataType gradient) {
    long elements = unit.plan().exchange().shard();
    if (elements == 0) {
      return;
    }
    UnitStates.Gradients gradients = unit.gradients();
    parts.add(
        kernel(
            ofUnit(unit.name()),
            OPERATOR,
            gradients.nodes(),
            gradients.tensors(),
            otherFlops(elements),
            gradient.bytes(elements)));
  }

  private Handle sum() {
    Ids nodes = Ids.sorted(parts.stream().mapToInt(Handle::node));
    Ids tensors = Ids.sorted(parts.stream().mapToInt(Handle::tensor));
    long bytes = DataType.FP32.bytes(parts.size());
    return kernel(SUM, "add", nodes, tensors, parts.size() - 1L, bytes);
  }

  private Handle kernel(
      String name, String operator, Ids deps, Ids reads, long otherFlops, long bytesRead) {
    long bytes = DataType.FP32.bytes();
    int written = graph.tensor(name, bytes);
    Node.Header header =
        graph.header(
            name,
            Phase.OPTIMIZER,
            deps.stream(),
            graph.turnDeps(deps.stream()),
            reads,
            Ids.of(written),
            GraphWriter.lasting(timing.of(name)));
    graph.add(
        new Node.Compute(header, operator, MatrixShape.NONE, 0, otherFlops, bytesRead, bytes));
    return new Handle(header.id(), written);
  }

  private Handle reduce(Sync sync, Handle own) {
    int written = graph.tensor(REDUCTION, DataType.FP32.bytes());
    Node.Header header =
        graph.header(
            REDUCTION,
            Phase.OPTIMIZER,
            IntStream.of(own.node()),
            Ids.NONE,
            Ids.of(own.tensor()),
            Ids.of(written),
            GraphWriter.lasting(timing.of(REDUCTION)));
    graph.add(new Node.Collective(header, sync.kind(), sync.elements(), sync.type(), sync.group()));
    return new Handle(header.id(), written);
  }
}
