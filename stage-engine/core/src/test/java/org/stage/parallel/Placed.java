package org.stage.parallel;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.stage.api.graph.Module;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.MeshAxis;
import org.stage.job.ContextParallelism;
import org.stage.job.Strategies;
import org.stage.module.Modules;
import org.stage.operator.OperatorRules;

/** The library's modules, placed with sequence parallelism, and their steps as text. */
final class Placed {
  private static final int KV_HEADS = 4;
  private static final String LLAMA =
      "rms_norm swiglu rotary sequential_block gates_in_combine dispatch_in_precision";

  private Placed() {}

  /** {@code tp 2, dp 2}, innermost first. */
  static Mesh mesh(String axes) {
    return new Mesh(
        Stream.of(axes.split(", "))
            .map(axis -> axis.split(" "))
            .map(axis -> new MeshAxis(axis[0], Integer.parseInt(axis[1])))
            .toList());
  }

  static ShardingRules rules(DeviceMesh mesh, ContextParallelism context) {
    return Standard.rules(
        mesh, KV_HEADS, Strategies.of(mesh.mesh(), true, true, context, Map.of()));
  }

  static PlacedUnit unit(String module, String more, String axes, ContextParallelism context) {
    return unit(module, more, axes, context, false);
  }

  static PlacedUnit unit(
      String module, String more, String axes, ContextParallelism context, boolean keepsGathered) {
    Set<String> features = Set.of((LLAMA + " " + more).split(" "));
    Module graph = Modules.of(module, features);
    DeviceMesh mesh = DeviceMesh.of(mesh(axes), KV_HEADS);
    boolean causal = !axes.contains("cp");
    return PlacedUnit.of(
        new Placing(mesh, rules(mesh, context), OperatorRules.standard(), causal),
        graph,
        Set.of(),
        keepsGathered);
  }

  /** {@code core: q.2 k.2 v -> o lse} for each step, the kind of a collective as its name. */
  static List<String> steps(PlacedModule module) {
    return module.steps().stream()
        .map(step -> name(step) + ": " + names(step.reads()) + " -> " + names(step.writes()))
        .toList();
  }

  private static String name(Step step) {
    if (step instanceof Step.Kernel kernel) {
      return kernel.operator().name();
    }
    return step instanceof Step.Shift shift ? shift.name() : ((Step.Transfer) step).kind().text();
  }

  private static String names(List<Value> values) {
    return String.join(" ", values.stream().map(Value::name).toList());
  }
}
