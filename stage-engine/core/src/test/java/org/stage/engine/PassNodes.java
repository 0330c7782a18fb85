package org.stage.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Node;
import org.stage.plan.BoundaryMessage;
import org.stage.plan.Instruction;
import org.stage.plan.StepPlan;
import org.stage.plan.UnitAction;
import org.stage.schedule.Slot;
import org.stage.state.Moment;
import org.stage.state.Work;

/** The nodes of a graph by pass and module: those of programs, and messages between stages. */
final class PassNodes {
  private final StepPlan plan;
  private final Map<String, Node> nodes = new HashMap<>();

  PassNodes(StepPlan plan, ExecutionGraph graph) {
    this.plan = plan;
    graph.nodes().forEach(node -> nodes.put(node.name(), node));
  }

  /**
   * Those of a module in a pass, in order; with the message that it takes or hands on.
   *
   * @param unit index of the module in its chunk
   */
  List<Node> of(Slot slot, int unit) {
    StepPlan.Chunk chunk = plan.chunks().get(slot.chunk());
    List<Node> of = new ArrayList<>();
    for (UnitAction each : plan.pass(slot)) {
      if (each.unit() == chunk.firstUnit() + unit) {
        for (String name : names(each, slot)) {
          of.add(Optional.ofNullable(nodes.get(name)).orElseThrow());
        }
      }
    }
    return of;
  }

  private List<String> names(UnitAction each, Slot slot) {
    String prefix = "mb" + slot.microBatch() + ".";
    if (each.action() instanceof BoundaryMessage) {
      boolean several = plan.pipeline().virtualStages() > 1;
      return List.of(prefix + (several ? "chunk" + slot.chunk() + "." : "") + each.name());
    }
    if (!(each.action() instanceof Instruction)) {
      return List.of();
    }
    String name = prefix + each.name();
    String suffix = each.action().moment() == Moment.RECOMPUTATION ? ".recompute" : "";
    return each.action().work() instanceof Work.Message
        ? List.of(name + ".recv" + suffix, name + ".send" + suffix)
        : List.of(name + suffix);
  }
}
