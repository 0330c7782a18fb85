package org.stage.numeric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.stage.api.graph.Module;
import org.stage.api.graph.Tensor;
import org.stage.api.workload.Node.Collective;
import org.stage.backward.Differentiation;
import org.stage.operator.OperatorRules;
import org.stage.parallel.GradientSync;
import org.stage.parallel.Layout;
import org.stage.parallel.PlacedUnit;
import org.stage.parallel.Placing;
import org.stage.parallel.Value;

/** That a module on simulated devices computes what one device would. */
final class UnitProof {
  private UnitProof() {}

  /** All values of both passes; and, after the reductions of the step, all gradients. */
  static void check(Module forward, Cluster cluster) {
    check(forward, cluster, OperatorRules.standard());
  }

  /** The same where {@code operators} are known. */
  static void check(Module forward, Cluster cluster, OperatorRules operators) {
    Placing placing = new Placing(cluster.devices(), cluster.rules(), operators, false);
    for (boolean keepsGathered : List.of(false, true)) {
      check(forward, cluster, placing, keepsGathered);
    }
  }

  private static void check(
      Module forward, Cluster cluster, Placing placing, boolean keepsGathered) {
    PlacedUnit unit = PlacedUnit.of(placing, forward, Set.of(), keepsGathered);
    Map<String, Dense> whole =
        new Interpreter(forward, cluster.bindings(), cluster::token)
            .bothPasses(forward, placing.operators(), 11);
    PlacedRun run = new PlacedRun(cluster, unit.forward(), whole).run(null);
    PlacedRun back = new PlacedRun(cluster, unit.backward(), whole).run(run);
    Map<String, List<Dense>> gradients = new HashMap<>();
    for (Tensor parameter : forward.parameters()) {
      Value value = unit.backward().outputs().get(Differentiation.gradientOf(parameter.name()));
      gradients.put(parameter.name(), back.get(value.id()));
    }
    unit.syncs().forEach(sync -> reduce(cluster, sync, gradients));
    for (Tensor parameter : forward.parameters()) {
      String name = parameter.name();
      Dense expected = whole.get(Differentiation.gradientOf(name));
      Layout layout = unit.forward().kept().get(name).layout();
      cluster.check("gradient of " + name, expected, layout, gradients.get(name));
    }
  }

  private static void reduce(
      Cluster cluster, GradientSync sync, Map<String, List<Dense>> gradients) {
    assertThat(sync.kind()).isEqualTo(Collective.Kind.ALL_REDUCE);
    for (String parameter : sync.parameters()) {
      gradients.compute(
          parameter,
          (p, parts) -> cluster.allReduce(parts, cluster.devices().join(sync.axes()), false));
    }
  }
}
