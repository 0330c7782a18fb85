package org.stage.plan;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.stage.api.symbol.Expr;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.MeshAxis;
import org.stage.api.workload.Node.Collective;
import org.stage.api.workload.Precision;
import org.stage.backward.Recomputation;
import org.stage.job.Optimizer;
import org.stage.job.ParameterGathering;
import org.stage.job.Shardings;
import org.stage.job.StateSharding.Regather;
import org.stage.job.TensorParallelism.WeightGradients;
import org.stage.parallel.DeviceMesh;
import org.stage.parallel.GradientSync;
import org.stage.parallel.Numbers;
import org.stage.parallel.PlacedModule;
import org.stage.parallel.PlacedUnit;
import org.stage.state.Action;
import org.stage.state.ParameterUpdate;
import org.stage.state.Zero;

/** Modules of a few instructions with numbers, on two data-parallel ranks. */
final class Units {
  static final Precision MIXED = new Precision(DataType.BF16, DataType.BF16, DataType.FP32);

  /** The axes of the mesh, each of two ranks. */
  static final List<String> AXES = List.of("tp", "dp", "cp", "ep");

  static final DeviceMesh MESH =
      DeviceMesh.of(new Mesh(AXES.stream().map(name -> new MeshAxis(name, 2)).toList()), 2);
  static final Numbers NUMBERS = new Numbers(MESH, Map.of("a", 4L), MIXED, false);

  /** {@code y = up(norm(x), w)}. */
  static final PlacedModule FORWARD =
      new Toy()
          .neighbour("x 6")
          .given("w 10")
          .kernel("norm", "x", "n 7")
          .kernel("up", "n w", "y 8")
          .output("y")
          .module();

  /** Only up.w is for the gradient of a parameter alone. */
  static final PlacedModule BACKWARD =
      new Toy()
          .neighbour("y.grad 8")
          .saved("w 10", 1)
          .saved("n 7", 2)
          .saved("x 6", 0)
          .kernel("up.n", "y.grad w", "n.grad 7")
          .kernel("up.w", "y.grad n", "w.grad 10")
          .kernel("norm.x", "n.grad x", "x.grad 6")
          .output("x.grad")
          .output("w.grad")
          .module();

  private Units() {}

  static UnitPlan.How how(int zero) {
    return how(zero, Recomputation.NONE, false);
  }

  static UnitPlan.How how(int zero, Recomputation recomputation, boolean offloads) {
    return new UnitPlan.How(
        new Zero(zero, 2, 2, Shardings.atOnce(0), Shardings.GATHERED, MIXED),
        new ParameterUpdate(Optimizer.Kind.ADAM, false),
        recomputation,
        true,
        offloads,
        WeightGradients.INLINE,
        Set.of());
  }

  /** ZeRO-1 that gathers at the beginning of a step. */
  static UnitPlan.How gathersFirst() {
    UnitPlan.How how = how(1);
    Zero zero = how.zero();
    ParameterGathering overlapping = new ParameterGathering(true, 1, Regather.LAYERS, 0);
    return new UnitPlan.How(
        new Zero(1, zero.shards(), zero.degree(), zero.gradients(), overlapping, MIXED),
        how.update(),
        how.recomputation(),
        how.regathered(),
        how.offloads(),
        how.weightGradients(),
        Set.of());
  }

  /** What runs again of the operators of {@link #FORWARD}. */
  static Recomputation again(String... operators) {
    Map<String, String> made = Map.of("norm", "n", "up", "y");
    List<String> tensors = List.of(operators).stream().map(made::get).toList();
    return new Recomputation(Set.of(operators), Set.copyOf(tensors));
  }

  /** A module of one parameter of 10 elements. */
  static UnitPlan unit(UnitPlan.How how) {
    return UnitPlan.of(placed(FORWARD, BACKWARD), NUMBERS, how);
  }

  /** One with nothing before it, so that nobody waits for its backward pass. */
  static UnitPlan first(UnitPlan.How how) {
    PlacedModule forward = new Toy().given("w 10").kernel("table", "w", "y 8").output("y").module();
    PlacedModule backward =
        new Toy()
            .neighbour("y.grad 8")
            .kernel("table.w", "y.grad", "w.grad 10")
            .output("w.grad")
            .module();
    return UnitPlan.of(placed(forward, backward), NUMBERS, how);
  }

  static PlacedUnit placed(PlacedModule forward, PlacedModule backward) {
    return placed(forward, backward, List.of(sync("dp", true)));
  }

  static PlacedUnit placed(PlacedModule forward, PlacedModule backward, List<GradientSync> syncs) {
    Map<String, Expr> parameters = Map.of("w", Expr.of(10));
    return new PlacedUnit(forward, backward, syncs, parameters, Map.of("w", Expr.of(5)));
  }

  /** An all-reduce of the gradient of w over two ranks. */
  static GradientSync sync(String axis, boolean replicas) {
    return new GradientSync(
        Collective.Kind.ALL_REDUCE,
        List.of(AXES.indexOf(axis)),
        Expr.of(10),
        List.of("w"),
        replicas);
  }

  static List<String> names(List<? extends Action> actions) {
    return actions.stream().map(Action::name).toList();
  }

  static List<String> placedNames(List<UnitAction> actions) {
    return actions.stream().map(UnitAction::name).toList();
  }
}
