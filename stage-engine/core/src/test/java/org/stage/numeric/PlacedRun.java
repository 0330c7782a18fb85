package org.stage.numeric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.stage.parallel.Layout;
import org.stage.parallel.PlacedModule;
import org.stage.parallel.Step;
import org.stage.parallel.Value;

/**
 * Runs a placed program on simulated devices: each kernel on each device's parts, each collective
 * among the members of its groups. Every value that comes into being is compared with the tensor
 * that one device would have.
 */
final class PlacedRun {
  private final Cluster cluster;
  private final PlacedModule module;
  private final Map<String, Dense> whole;
  private final Map<Integer, List<Dense>> held = new HashMap<>();

  /**
   * A run of {@code module}.
   *
   * @param whole every tensor as one device has it
   */
  PlacedRun(Cluster cluster, PlacedModule module, Map<String, Dense> whole) {
    this.cluster = cluster;
    this.module = module;
    this.whole = whole;
  }

  /** Runs the program; {@code saved} is the run of the forward program that it looks back on. */
  PlacedRun run(PlacedRun saved) {
    for (Value value : module.values()) {
      if (value.source() instanceof Value.Source.Saved from) {
        put(value, saved.get(from.value()));
      } else if (!(value.source() instanceof Value.Source.Step)
          && !(value.source() instanceof Value.Source.View)) {
        put(value, cluster.scatter(whole.get(value.tensor()), value.layout()));
      }
    }
    for (Step step : module.steps()) {
      if (step instanceof Step.Kernel kernel) {
        run(kernel);
      } else if (step instanceof Step.Transfer transfer) {
        put(transfer.output(), run(transfer));
      } else if (step instanceof Step.Shift shift) {
        for (int i = 0; i < shift.reads().size(); i++) {
          put(shift.writes().get(i), cluster.shift(get(shift.reads().get(i).id()), shift.axis()));
        }
      }
    }
    module.outputs().values().forEach(output -> get(output.id()));
    return this;
  }

  /** What each rank holds of a value. */
  List<Dense> get(int id) {
    Value value = module.values().get(id);
    if (value.source() instanceof Value.Source.View view && !held.containsKey(id)) {
      Layout from = module.values().get(view.value()).layout();
      List<Dense> cut = cluster.slice(get(view.value()), from, value.layout());
      if (isSplit(value, view)) {
        int width = whole.get(value.tensor()).width();
        int first = (int) view.offset().evaluate(cluster.bindings());
        cut = cut.stream().map(part -> part.columns(first, width)).toList();
      }
      put(value, cut);
    }
    return held.get(id);
  }

  /** Whether a view is a part of the last axis, rather than this device's part of another. */
  private boolean isSplit(Value value, Value.Source.View view) {
    Dense from = whole.get(module.values().get(view.value()).tensor());
    return from.width() > whole.get(value.tensor()).width();
  }

  private void put(Value value, List<Dense> parts) {
    assertThat(held.put(value.id(), parts)).as(value.name()).isNull();
    Dense expected = whole.get(value.tensor());
    if (expected != null) {
      cluster.check(module.name() + ": " + value, expected, value.layout(), parts);
    }
    assertThat(parts.get(0).data.length)
        .as("elements of %s", value)
        .isEqualTo((int) value.elements().evaluate(cluster.bindings()));
  }

  private void run(Step.Kernel kernel) {
    List<List<Dense>> results = new ArrayList<>();
    for (int rank = 0; rank < cluster.ranks(); rank++) {
      int here = rank;
      List<Dense> in = kernel.reads().stream().map(read -> get(read.id()).get(here)).toList();
      results.add(Kernels.run(kernel.operator(), in, cluster.device(rank)));
    }
    for (int i = 0; i < kernel.writes().size(); i++) {
      int output = i;
      put(kernel.writes().get(i), results.stream().map(result -> result.get(output)).toList());
    }
  }

  private List<Dense> run(Step.Transfer step) {
    Layout from = step.input().layout();
    List<Dense> input = get(step.input().id());
    return cluster.transfer(
        step.kind(), cluster.devices().join(step.axes()), input, from, step.output().layout());
  }
}
