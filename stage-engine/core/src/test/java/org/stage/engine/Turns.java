package org.stage.engine;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.stage.api.workload.Node;
import org.stage.api.workload.Phase;
import org.stage.job.Job;
import org.stage.model.ModelGraph;
import org.stage.module.ModuleLibrary;
import org.stage.plan.JobPlan;
import org.stage.plan.StepPlan;
import org.stage.schedule.Pass;
import org.stage.schedule.Slot;
import org.stage.state.Moment;

/** To which turn of its stage a kernel belongs, by its name. */
final class Turns {
  private static final Slot END = new Slot(Pass.WEIGHT_GRADIENTS, 0, -1);

  private final Map<Slot, Integer> turns = new HashMap<>();
  private final Map<String, Integer> chunks = new HashMap<>();
  private final Map<String, Set<String>> ofWeights = new HashMap<>();
  private final int end;

  Turns(StepPlan stage) {
    for (int i = 0; i < stage.turns().size(); i++) {
      for (Slot slot : stage.turns().get(i).slots()) {
        turns.put(slot, i);
      }
    }
    end = stage.turns().size();
    for (StepPlan.Chunk chunk : stage.chunks()) {
      for (StepPlan.Unit unit : chunk.units()) {
        chunks.put(unit.name(), chunk.index());
        Set<String> names = new HashSet<>();
        unit.plan().backward().instructions().stream()
            .filter(instruction -> instruction.moment() == Moment.WEIGHT_GRADIENTS)
            .forEach(instruction -> names.add(instruction.name()));
        ofWeights.put(unit.name(), names);
      }
    }
  }

  /** The plans of a job's stages. */
  static List<StepPlan> stages(Job spec) {
    return JobPlan.of(spec, ModelGraph.of(spec, ModuleLibrary.standard()), ModuleLibrary.standard())
        .stepPlans();
  }

  int turn(Node node) {
    Slot slot = slot(node);
    return slot.equals(END) ? end : turns.get(slot);
  }

  Slot slot(Node node) {
    String[] parts = node.name().split("\\.");
    if (!parts[0].startsWith("mb")) {
      return END;
    }
    int microBatch = Integer.parseInt(parts[0].substring(2));
    String unit = parts[1].equals("layers") ? "layers." + parts[2] : parts[1];
    String rest = node.name().substring(parts[0].length() + unit.length() + 2);
    int chunk = chunks.get(unit);
    if (node.phase() == Phase.FORWARD) {
      return new Slot(Pass.FORWARD, chunk, microBatch);
    }
    Slot whole = new Slot(Pass.BACKWARD, chunk, microBatch);
    // Sums of shards follow the gradients that are reduced.
    boolean late = ofWeights.get(unit).contains(rest) || rest.startsWith("grad.");
    return turns.containsKey(whole)
        ? whole
        : new Slot(late ? Pass.WEIGHT_GRADIENTS : Pass.INPUT_GRADIENTS, chunk, microBatch);
  }
}
