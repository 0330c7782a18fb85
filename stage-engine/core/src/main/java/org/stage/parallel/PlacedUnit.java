package org.stage.parallel;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.stage.api.graph.Axis;
import org.stage.api.graph.Module;
import org.stage.api.graph.Tensor;
import org.stage.api.symbol.Expr;
import org.stage.backward.Differentiation;

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
  private static final String EXPERT = "expert";

  /** What passes between modules: the residual stream, as the norms see it. */
  private static final List<String> BOUNDARY = List.of("batch", "norm_seq", "residual");

  /**
   * Differentiates and places a module.
   *
   * @param causal whether attention counts half its products
   * @param borrowed parameters that another module on the device owns
   * @param keepsGathered whether what tensor parallelism gathers stays for the backward pass
   */
  public static PlacedUnit of(
      DeviceMesh mesh,
      ShardingRules rules,
      Module module,
      boolean causal,
      Set<String> borrowed,
      boolean keepsGathered) {
    PlacedModule placed = Placer.forward(mesh, rules, module, BOUNDARY, causal);
    PlacedModule forward = keepsGathered ? placed.keepingGathered(mesh.partsOf("tp")) : placed;
    Module gradient = Differentiation.of(module);
    PlacedModule backward = Placer.backward(mesh, rules, gradient, forward, BOUNDARY, causal);
    Map<String, Expr> parameters = new LinkedHashMap<>();
    Map<String, Expr> matrices = new LinkedHashMap<>();
    for (Tensor parameter : module.parameters()) {
      Value value = forward.kept().get(parameter.name());
      if (value != null && !borrowed.contains(parameter.name())) {
        parameters.put(parameter.name(), value.elements());
        if (isMatrix(parameter)) {
          Expr experts = experts(mesh, rules, module, parameter);
          matrices.put(parameter.name(), value.elements().over(experts));
        }
      }
    }
    return new PlacedUnit(
        forward,
        backward,
        GradientSync.of(mesh, rules, module, backward, borrowed),
        Collections.unmodifiableMap(parameters),
        Collections.unmodifiableMap(matrices));
  }

  /** Routers are no matrix of a layer: what they multiply is too small to matter. */
  private static boolean isMatrix(Tensor parameter) {
    return parameter.axes().size() > 1 && !parameter.axes().contains("routes");
  }

  /** How many experts have their matrices in {@code parameter} on one device. */
  private static Expr experts(
      DeviceMesh mesh, ShardingRules rules, Module module, Tensor parameter) {
    if (!parameter.axes().contains(EXPERT)) {
      return Expr.ONE;
    }
    Expr all =
        module.axes().stream()
            .filter(axis -> axis.name().equals(EXPERT))
            .map(Axis::size)
            .findFirst()
            .orElseThrow();
    return Layout.of(rules, List.of(EXPERT)).local(mesh, all);
  }
}
