package org.stage.state;

import java.util.Collections;
import java.util.List;
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
  private static final TensorType SCALAR = new TensorType(List.of(), DataType.FP32);

  private GradientNorm() {}

  /** What a module adds to it: a square and a sum for each of {@code elements} gradients. */
  public static StateAction ofModule(long elements, DataType gradients) {
    Work work =
        Work.Kernel.elementwise(
            "square_sum",
            Math.multiplyExact(2, elements),
            List.of(TensorType.vector(elements, gradients)),
            List.of(SCALAR));
    return StateAction.of(Kind.SQUARE_SUM, "grad_norm", Moment.NORM, work);
  }

  /**
   * What follows on a stage: the sum over its modules, if there are several, and over all ranks.
   *
   * @param modules modules of the stage that add something
   */
  public static List<StateAction> ofStage(int modules, Mesh mesh) {
    Work sum =
        Work.Kernel.elementwise(
            OperatorKind.ADD.text(),
            modules - 1L,
            Collections.nCopies(modules, SCALAR),
            List.of(SCALAR));
    StateAction add = StateAction.of(Kind.NORM_SUM, "grad_norm.sum", Moment.NORM, sum);
    List<StateAction> own = modules == 1 ? List.of() : List.of(add);
    if (mesh.devices() == 1) {
      return own;
    }
    List<SubAxis> all =
        mesh.axes().stream().filter(axis -> axis.degree() > 1).map(SubAxis::whole).toList();
    Collective.Kind kind = Collective.Kind.ALL_REDUCE;
    Work reduce = new Work.Transfer(kind, new Group.Along(all), DataType.FP32, 1);
    StateAction last =
        StateAction.of(Kind.NORM_REDUCE, "grad_norm.all-reduce", Moment.NORM, reduce);
    return modules == 1 ? List.of(last) : List.of(add, last);
  }
}
