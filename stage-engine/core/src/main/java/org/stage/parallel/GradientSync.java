package org.stage.parallel;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.stage.api.graph.Module;
import org.stage.api.graph.Tensor;
import org.stage.api.symbol.Expr;
import org.stage.api.workload.Node.Collective;
import org.stage.api.workload.SubAxis;
import org.stage.backward.Differentiation;

/**
 * A reduction of accumulated gradients, once per step: from the placement in which the backward
 * pass leaves them to that of their parameters. Gradients of one module that need the same
 * reduction go in one.
 *
 * @param kind which collective
 * @param axes along which the members of its group differ
 * @param elements elements of this rank's input
 * @param parameters names of the parameters whose gradients are reduced
 */
public record GradientSync(
    Collective.Kind kind, List<SubAxis> axes, Expr elements, List<String> parameters) {
  /** Copies the lists. */
  public GradientSync {
    axes = List.copyOf(axes);
    parameters = List.copyOf(parameters);
  }

  /**
   * The reductions of a module's gradients: those inside a model replica first, those over its
   * replicas ({@code dp}, {@code cp}) last.
   *
   * @param except parameters whose gradients another module reduces
   */
  static List<GradientSync> of(
      DeviceMesh mesh,
      ShardingRules rules,
      Module forward,
      PlacedModule backward,
      Set<String> except) {
    List<Integer> replicas = mesh.replicas();
    List<Integer> inside =
        Stream.iterate(0, m -> m < mesh.axes().size(), m -> m + 1)
            .filter(m -> !replicas.contains(m))
            .toList();
    Map<Key, GradientSync> syncs = new LinkedHashMap<>();
    for (List<Integer> axes : List.of(inside, replicas)) {
      for (Tensor parameter : forward.parameters()) {
        Value gradient = backward.outputs().get(Differentiation.gradientOf(parameter.name()));
        if (gradient != null && !except.contains(parameter.name())) {
          Layout wanted = Layout.of(mesh, rules, parameter.axes());
          add(syncs, mesh, axes, parameter.name(), gradient, wanted);
        }
      }
    }
    return List.copyOf(syncs.values());
  }

  private static void add(
      Map<Key, GradientSync> syncs,
      DeviceMesh mesh,
      List<Integer> axes,
      String parameter,
      Value gradient,
      Layout wanted) {
    Layout target = gradient.layout();
    for (int axis : axes) {
      target = target.with(axis, wanted.at(axis));
    }
    for (Resharding.Move move : Resharding.moves(mesh, gradient.layout(), target)) {
      Collective.Kind kind = move.kind();
      if (kind != null) {
        GradientSync one =
            new GradientSync(kind, mesh.join(move.axes()), gradient.elements(), List.of(parameter));
        syncs.merge(new Key(kind, move.axes()), one, GradientSync::with);
      }
    }
  }

  private record Key(Collective.Kind kind, List<Integer> axes) {}

  private GradientSync with(GradientSync other) {
    List<String> both = new ArrayList<>(parameters);
    both.addAll(other.parameters);
    return new GradientSync(kind, axes, elements.plus(other.elements), both);
  }
}
