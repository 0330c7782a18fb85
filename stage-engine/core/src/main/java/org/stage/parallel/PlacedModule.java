package org.stage.parallel;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.stage.api.graph.Element;
import org.stage.api.workload.Node.Collective;

/**
 * A module with layouts and collectives: the program of one device for one micro-batch.
 *
 * @param name the module's name
 * @param steps in program order
 * @param values all values, by id
 * @param kept the form of each tensor that outlives the step which made it: what its producer
 *     wrote, or, where that is a partial sum, its reduction
 * @param outputs the form in which each output leaves
 */
public record PlacedModule(
    String name,
    List<Step> steps,
    List<Value> values,
    Map<String, Value> kept,
    Map<String, Value> outputs) {
  /** Copies lists and maps. */
  public PlacedModule {
    steps = List.copyOf(steps);
    values = List.copyOf(values);
    kept = Map.copyOf(kept);
    outputs = Map.copyOf(outputs);
  }

  /**
   * The same program, of whose activations that were gathered along {@code meshAxes} alone the
   * gathered form is kept.
   */
  PlacedModule keepingGathered(List<Integer> meshAxes) {
    Map<String, Value> more = new HashMap<>(kept);
    for (Step step : steps) {
      if (step instanceof Step.Transfer move
          && move.kind() == Collective.Kind.ALL_GATHER
          && move.input().element() == Element.ACTIVATION
          && meshAxes.containsAll(move.axes())) {
        more.put(move.input().tensor(), move.output());
      }
    }
    return new PlacedModule(name, steps, values, more, outputs);
  }
}
