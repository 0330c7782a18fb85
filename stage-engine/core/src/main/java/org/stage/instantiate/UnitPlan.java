package org.stage.instantiate;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.stage.api.graph.Element;
import org.stage.arithmetic.Sums;
import org.stage.parallel.PlacedUnit;
import org.stage.parallel.Value;

/**
 * A module as one device runs it, with numbers.
 *
 * @param forward program of a forward pass
 * @param backward program of a backward pass
 * @param again what of the forward program runs again in backward
 * @param exchange what its gradients and parameters need besides
 * @param parameters elements on this device of each parameter that it owns, in order, before ZeRO
 *     shards them
 * @param matrices elements of each matrix among them, of experts one of them
 * @param times what is known of the work on its states
 */
public record UnitPlan(
    Program forward,
    Program backward,
    Again again,
    Exchange exchange,
    Map<String, Long> parameters,
    Map<String, Long> matrices,
    StateTimes times) {
  /**
   * How long the work on a module's states takes, nanoseconds.
   *
   * @param accumulations adding one micro-batch's shard of the gradients to those before, by flat
   *     buffer; as far as known
   * @param update updating the parameters, if known
   */
  public record StateTimes(Map<Integer, Long> accumulations, OptionalLong update) {
    /** Nothing is known. */
    public static final StateTimes NONE = new StateTimes(Map.of(), OptionalLong.empty());

    /** Copies the map. */
    public StateTimes {
      accumulations = Map.copyOf(accumulations);
    }

    OptionalLong accumulate(int buffer) {
      Long nanoseconds = accumulations.get(buffer);
      return nanoseconds == null ? OptionalLong.empty() : OptionalLong.of(nanoseconds);
    }
  }

  /** Copies the maps; parameters keep their order. */
  public UnitPlan {
    parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    matrices = Map.copyOf(matrices);
  }

  /**
   * Evaluates a placed module.
   *
   * @param zero how its states are sharded
   * @param regathered whether ZeRO-3 gathers its parameters again for backward
   */
  static UnitPlan of(PlacedUnit unit, Numbers numbers, Zero zero, boolean regathered) {
    Map<String, Long> parameters = new LinkedHashMap<>();
    unit.parameters().forEach((name, elements) -> parameters.put(name, numbers.of(elements)));
    Map<String, Long> matrices = new HashMap<>();
    unit.matrices().forEach((name, elements) -> matrices.put(name, numbers.of(elements)));
    Exchange exchange =
        zero.exchange(
            syncs(unit, numbers, false),
            syncs(unit, numbers, true),
            parameters,
            numbers,
            regathered);
    boolean inPlace = !exchange.accumulates();
    Program forward = Program.of(unit.forward(), numbers, inPlace);
    return new UnitPlan(
        forward,
        Program.of(unit.backward(), numbers, inPlace),
        Again.of(forward, unit.forward(), unit.recomputation()),
        exchange,
        parameters,
        matrices,
        StateTimes.NONE);
  }

  private static List<Sync> syncs(PlacedUnit unit, Numbers numbers, boolean replicas) {
    return unit.syncs().stream()
        .filter(sync -> sync.replicas() == replicas)
        .map(
            sync ->
                new Sync(
                    sync.kind(),
                    numbers.of(sync.elements()),
                    numbers.type(Element.GRADIENT),
                    numbers.group(sync.axes()),
                    Sync.Of.GRADIENTS,
                    sync.parameters(),
                    0))
        .toList();
  }

  /** Parameters that it owns on this device, elements, before ZeRO shards them. */
  public long parameterElements() {
    return Sums.of(parameters.values());
  }

  /**
   * What a forward pass leaves for the backward pass, parameters aside: variables of the forward
   * program, in order.
   */
  public Set<Integer> kept() {
    Set<Integer> kept = new TreeSet<>(readByBackward());
    again.instructions().forEach(i -> i.reads().forEach(read -> kept.add(forward.root(read))));
    Set<Integer> made = new HashSet<>();
    again.instructions().forEach(i -> made.addAll(i.writes()));
    Set<Integer> read = readByBackward();
    kept.removeIf(
        root ->
            forward.variables().get(root).source() instanceof Value.Source.Given
                || again.replaced().contains(root)
                || (made.contains(root) && !read.contains(root)));
    return kept;
  }

  private Set<Integer> readByBackward() {
    Set<Integer> read = new HashSet<>();
    for (Program.Variable variable : backward.variables()) {
      if (variable.source() instanceof Value.Source.Saved from) {
        read.add(forward.root(from.value()));
      }
    }
    return read;
  }
}
