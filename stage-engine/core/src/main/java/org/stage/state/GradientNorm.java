package org.stage.state;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import org.stage.api.graph.OperatorKind;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Group;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.Node.Collective;
import org.stage.api.workload.SubAxis;
import org.stage.api.workload.TensorType;
import org.stage.state.StateAction.Kind;

/**
 * The norm of all gradients, by which they are clipped. Each rank squares and adds up the gradients
 * of the elements that it updates, module by module, and adds up the modules; one scalar is reduced
 * over all ranks. It comes when all gradients are complete, and before anything is updated. Scaling
 * is not counted: it is due only in the steps whose norm exceeds the bound.
 */
public final class GradientNorm {

  private static final String PIPELINE = "pp";

  private GradientNorm() {}

  /**
   * What a module adds to it: a square and a sum for each of {@code elements} gradients.
   *
   * @param sums how many sums are left of them
   */
  public static StateAction ofModule(long elements, DataType gradients, int sums) {
    Work work =
        Work.Kernel.elementwise(
            "square_sum",
            Math.multiplyExact(2, elements),
            List.of(TensorType.vector(elements, gradients)),
            List.of(vector(sums)));
    return StateAction.of(Kind.SQUARE_SUM, "grad_norm", Moment.NORM, work);
  }

  /**
   * What follows on a stage: the sum over its modules, if there are several, and over all ranks.
   *
   * @param modules modules of the stage that add something
   */
  public static List<StateAction> ofStage(int modules, Mesh mesh) {
    List<StateAction> all = new ArrayList<>();
    if (modules > 1) {
      all.add(sum("grad_norm.sum", modules));
    }
    if (mesh.devices() > 1) {
      all.add(reduce("grad_norm.all-reduce", axes(mesh, axis -> true), 1));
    }
    return all;
  }

  /**
   * The same where ranks sum the norm of each tensor apart: over those of the stage all of them,
   * which are then added up, and that one over the stages.
   *
   * @param tensors tensors of parameters of the stage
   */
  public static List<StateAction> byTensor(int tensors, Mesh mesh) {
    List<StateAction> all = new ArrayList<>();
    List<SubAxis> within = axes(mesh, axis -> !axis.equals(PIPELINE));
    if (!within.isEmpty()) {
      all.add(reduce("grad_norm.tensors.all-reduce", within, tensors));
    }
    if (tensors > 1) {
      all.add(sum("grad_norm.sum", tensors));
    }
    List<SubAxis> stages = axes(mesh, PIPELINE::equals);
    if (!stages.isEmpty()) {
      all.add(reduce("grad_norm.all-reduce", stages, 1));
    }
    return all;
  }

  /** What a part of the norm writes. */
  public static TensorType sums(Work work) {
    return work instanceof Work.Transfer transfer
        ? vector(transfer.elements())
        : ((Work.Kernel) work).outputs().get(0);
  }

  private static TensorType vector(long sums) {
    return new TensorType(sums == 1 ? List.of() : List.of(sums), DataType.FP32);
  }

  private static StateAction sum(String name, int scalars) {
    Work work =
        Work.Kernel.elementwise(
            OperatorKind.ADD.text(),
            scalars - 1L,
            Collections.nCopies(scalars, vector(1)),
            List.of(vector(1)));
    return StateAction.of(Kind.NORM_SUM, name, Moment.NORM, work);
  }

  private static StateAction reduce(String name, List<SubAxis> over, int scalars) {
    Collective.Kind kind = Collective.Kind.ALL_REDUCE;
    Work work = new Work.Transfer(kind, new Group.Along(over), DataType.FP32, scalars);
    return StateAction.of(Kind.NORM_REDUCE, name, Moment.NORM, work);
  }

  private static List<SubAxis> axes(Mesh mesh, Predicate<String> which) {
    return mesh.axes().stream()
        .filter(axis -> axis.degree() > 1 && which.test(axis.name()))
        .map(SubAxis::whole)
        .toList();
  }
}
