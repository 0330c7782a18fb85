package org.stage.engine;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.stage.api.workload.ExecutionGraph;
import org.stage.parallel.Value;
import org.stage.plan.Program;
import org.stage.plan.StepPlan;
import org.stage.schedule.Slot;

/**
 * How much of a tensor a module needs that the module before wrote: nodes read a tensor whole, also
 * where a device needs a slice of it.
 */
final class TensorParts {
  private final StepPlan plan;
  private final Map<String, Integer> tensors = new HashMap<>();

  TensorParts(StepPlan plan, ExecutionGraph graph) {
    this.plan = plan;
    for (int tensor = 0; tensor < graph.tensors().size(); tensor++) {
      tensors.put(graph.tensors().get(tensor).name(), tensor);
    }
  }

  /** Bytes of what the module before hands on, if that is on the stage. */
  Map<Integer, Long> ofForward(Slot slot, int unit) {
    Map<Integer, Long> parts = new HashMap<>();
    if (unit > 0) {
      StepPlan.Unit before = units(slot).get(unit - 1);
      Program hands = before.plan().forward();
      String name = hands.variables().get(hands.outgoing().orElseThrow()).name();
      for (Program.Variable each : units(slot).get(unit).plan().forward().variables()) {
        if (each.source() instanceof Value.Source.Neighbour) {
          put(parts, prefix(slot, before) + name, each.bytes());
        }
      }
    }
    return parts;
  }

  private List<StepPlan.Unit> units(Slot slot) {
    return plan.chunks().get(slot.chunk()).units();
  }

  private static String prefix(Slot slot, StepPlan.Unit unit) {
    return "mb" + slot.microBatch() + "." + unit.name() + ".";
  }

  private void put(Map<Integer, Long> parts, String name, long bytes) {
    Integer tensor = tensors.get(name);
    if (tensor != null) {
      parts.put(tensor, bytes);
    }
  }
}
