package org.stage.instantiate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.stage.api.graph.Element;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Group;
import org.stage.api.workload.Node.Collective;
import org.stage.parallel.PlacedUnit;

/**
 * A module as one device runs it, with numbers.
 *
 * @param forward program of a forward pass
 * @param backward program of a backward pass
 * @param syncs reductions of its gradients once per step, in order
 * @param parameters elements on this device of each parameter that it owns, in order
 */
public record UnitPlan(
    Program forward, Program backward, List<Sync> syncs, Map<String, Long> parameters) {
  /** Copies the list. */
  public UnitPlan {
    syncs = List.copyOf(syncs);
    parameters = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
  }

  /**
   * A reduction of gradients.
   *
   * @param kind which collective
   * @param elements elements of this rank's input
   * @param type their type
   * @param group its members
   * @param parameters whose gradients
   */
  public record Sync(
      Collective.Kind kind, long elements, DataType type, Group group, List<String> parameters) {
    /** Copies the list. */
    public Sync {
      parameters = List.copyOf(parameters);
    }
  }

  static UnitPlan of(PlacedUnit unit, Numbers numbers) {
    List<Sync> syncs =
        unit.syncs().stream()
            .map(
                sync ->
                    new Sync(
                        sync.kind(),
                        numbers.of(sync.elements()),
                        numbers.type(Element.GRADIENT),
                        numbers.group(sync.axes()),
                        sync.parameters()))
            .toList();
    Map<String, Long> parameters = new LinkedHashMap<>();
    unit.parameters().forEach((name, elements) -> parameters.put(name, numbers.of(elements)));
    return new UnitPlan(
        Program.of(unit.forward(), numbers),
        Program.of(unit.backward(), numbers),
        syncs,
        parameters);
  }

  /** Parameters that it owns on this device, elements. */
  public long parameterElements() {
    return parameters.values().stream().mapToLong(Long::longValue).sum();
  }
}
