package org.stage.parallel;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.stage.api.graph.AxisRole;
import org.stage.api.graph.Module;
import org.stage.api.graph.Tensor;
import org.stage.api.symbol.Expr;
import org.stage.backward.Differentiation;
import org.stage.operator.AxisRoles;

/**
 * A module as one device runs it: forward and backward per micro-batch, and what follows once per
 * step.
 *
 * @param forward program of a forward pass
 * @param backward program of a backward pass
 * @param syncs reductions of its gradients, in order
 * @param parameters elements on this device of each parameter that it owns
 * @param matrices elements of those among them that are matrices of layers, of experts one of them
 */
public record PlacedUnit(
    PlacedModule forward,
    PlacedModule backward,
    List<GradientSync> syncs,
    Map<String, Expr> parameters,
    Map<String, Expr> matrices) {
  /** What passes between modules: the residual stream, as the norms see it. */
  private static final List<AxisRole> BOUNDARY =
      List.of(AxisRole.BATCH, AxisRole.NORM_SEQUENCE, AxisRole.RESIDUAL);

  /**
   * Differentiates and places a module.
   *
   * @param placing how it is placed
   * @param borrowed parameters that another module on the device owns
   * @param keepsGathered whether what tensor parallelism gathers stays for the backward pass
   */
  public static PlacedUnit of(
      Placing placing, Module module, Set<String> borrowed, boolean keepsGathered) {
    Layout boundary = Layout.ofRoles(placing.rules(), BOUNDARY);
    PlacedModule placed = Placer.forward(placing, module, boundary);
    PlacedModule forward =
        keepsGathered ? placed.keepingGathered(placing.mesh().partsOf("tp")) : placed;
    Module gradient = Differentiation.of(module, placing.operators());
    PlacedModule backward = Placer.backward(placing, gradient, forward, boundary);
    AxisRoles roles = AxisRoles.of(module);
    Map<String, Expr> parameters = new LinkedHashMap<>();
    Map<String, Expr> matrices = new LinkedHashMap<>();
    for (Tensor parameter : module.parameters()) {
      Value value = forward.kept().get(parameter.name());
      if (value != null && !borrowed.contains(parameter.name())) {
        parameters.put(parameter.name(), value.elements());
        if (isMatrix(parameter, roles)) {
          Expr experts = experts(placing, parameter, roles);
          matrices.put(parameter.name(), value.elements().over(experts));
        }
      }
    }
    return new PlacedUnit(
        forward,
        backward,
        GradientSync.of(placing, module, backward, borrowed),
        Collections.unmodifiableMap(parameters),
        Collections.unmodifiableMap(matrices));
  }

  /** Routers are no matrix of a layer: what they multiply is too small to matter. */
  private static boolean isMatrix(Tensor parameter, AxisRoles roles) {
    return parameter.axes().size() > 1 && !roles.has(parameter.axes(), AxisRole.ROUTES);
  }

  /** How many experts have their matrices in {@code parameter} on one device. */
  private static Expr experts(Placing placing, Tensor parameter, AxisRoles roles) {
    CostModel sizes = new CostModel(placing, roles);
    return roles.first(parameter.axes(), AxisRole.EXPERT).map(sizes::local).orElse(Expr.ONE);
  }
}
