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
import org.stage.parallel.GradientSync;
import org.stage.parallel.Layout;
import org.stage.parallel.PlacedUnit;
import org.stage.parallel.Value;

/** That a module on simulated devices computes what one device would. */
final class UnitProof {
  private UnitProof() {}

  /** All values of both passes; and, after the reductions of the step, all gradients. */
  static void check(Module forward, Cluster cluster) {
    for (boolean keepsGathered : List.of(false, true)) {
      check(forward, cluster, keepsGathered);
    }
  }

  private static void check(Module forward, Cluster cluster, boolean keepsGathered) {
    PlacedUnit unit =
        PlacedUnit.of(cluster.devices(), cluster.rules(), forward, false, Set.of(), keepsGathered);
    Map<String, Dense> whole = Interpreter.bothPasses(forward, cluster.bindings(), 11);
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
