package org.stage.parallel;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.stage.api.graph.AxisRole;
import org.stage.api.graph.Module;
import org.stage.api.graph.Tensor;
import org.stage.api.symbol.Expr;
import org.stage.api.workload.Node.Collective;
import org.stage.backward.Differentiation;
import org.stage.operator.AxisRoles;

/**
 * A reduction of accumulated gradients, once per step: from the layout in which the backward pass
 * leaves them, which differs from that of their parameters by partial sums, to that. Gradients of
 * one module that need the same reduction go in one.
 *
 * @param kind which collective
 * @param axes mesh axes along which the members of its group differ
 * @param elements elements of this rank's input
 * @param parameters names of the parameters whose gradients are reduced
 * @param replicas whether the members hold copies of these, and so may share them out
 */
public record GradientSync(
    Collective.Kind kind,
    List<Integer> axes,
    Expr elements,
    List<String> parameters,
    boolean replicas) {
  /** Copies the lists. */
  public GradientSync {
    axes = List.copyOf(axes);
    parameters = List.copyOf(parameters);
  }

  /**
   * The reductions of a module's gradients: those inside a model replica first, those over replicas
   * last: of the model ({@code dp}, {@code cp}, {@code ep}), or of its experts.
   *
   * @param except parameters whose gradients another module reduces
   */
  static List<GradientSync> of(
      Placing placing, Module forward, PlacedModule backward, Set<String> except) {
    AxisRoles roles = AxisRoles.of(forward);
    Map<Key, GradientSync> syncs = new LinkedHashMap<>();
    for (boolean replicas : new boolean[] {false, true}) {
      for (Tensor parameter : forward.parameters()) {
        Value gradient = backward.outputs().get(Differentiation.gradientOf(parameter.name()));
        if (gradient != null && !except.contains(parameter.name())) {
          Layout layout = gradient.layout();
          if (!layout.shards().equals(Layout.of(placing.rules(), parameter.axes()).shards())) {
            throw new IllegalArgumentException(parameter + " and its gradient lie apart");
          }
          boolean ofExperts = roles.has(parameter.axes(), AxisRole.EXPERT);
          Set<Integer> over = placing.rules().replicas(placing.mesh(), ofExperts);
          List<Integer> sums =
              layout.sums().stream().filter(m -> over.contains(m) == replicas).toList();
          if (!sums.isEmpty()) {
            GradientSync one =
                new GradientSync(
                    Collective.Kind.ALL_REDUCE,
                    sums,
                    gradient.elements(),
                    List.of(parameter.name()),
                    replicas);
            syncs.merge(new Key(sums, replicas), one, GradientSync::with);
          }
        }
      }
    }
    return List.copyOf(syncs.values());
  }

  private record Key(List<Integer> axes, boolean replicas) {}

  private GradientSync with(GradientSync other) {
    List<String> both = new ArrayList<>(parameters);
    both.addAll(other.parameters);
    return new GradientSync(kind, axes, elements.plus(other.elements), both, replicas);
  }
}
