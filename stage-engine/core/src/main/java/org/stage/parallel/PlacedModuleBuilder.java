package org.stage.parallel;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.stage.api.graph.Element;
import org.stage.api.symbol.Expr;
import org.stage.api.workload.Node.Collective;

/** A placed module under construction: its steps, and the forms of each tensor that are at hand. */
final class PlacedModuleBuilder {
  private final DeviceMesh mesh;
  private final List<Step> steps = new ArrayList<>();
  private final List<Value> values = new ArrayList<>();
  private final Map<String, List<Value>> forms = new LinkedHashMap<>();

  PlacedModuleBuilder(DeviceMesh mesh) {
    this.mesh = mesh;
  }

  int nextStep() {
    return steps.size();
  }

  void add(Step step) {
    steps.add(step);
  }

  /** A tensor in the form in which it comes into being. */
  Value write(String tensor, Element element, Layout layout, List<Expr> dims, Value.Source source) {
    Value value = new Value(values.size(), tensor, "", element, layout, dims, source);
    values.add(value);
    forms.computeIfAbsent(tensor, t -> new ArrayList<>()).add(value);
    return value;
  }

  /** A value that only the steps around it know: no form of a tensor of the module. */
  Value scratch(String name, Element element, Layout layout, List<Expr> dims) {
    Value.Source source = new Value.Source.Step(steps.size());
    Value value = new Value(values.size(), name, "", element, layout, dims, source);
    values.add(value);
    return value;
  }

  /** The same, like another value. */
  Value scratch(String name, Value like) {
    return scratch(name, like.element(), like.layout(), like.dims());
  }

  /**
   * The form from which other forms are made: what the producer wrote, or, once it was reduced, the
   * first form of which the least is left to reduce.
   */
  Value latest(String tensor) {
    List<Value> known = forms.getOrDefault(tensor, List.of());
    if (known.isEmpty()) {
      throw new IllegalArgumentException("tensor " + tensor + " is not known here");
    }
    return Collections.min(known, Comparator.comparingInt(form -> form.layout().partialAxes()));
  }

  /**
   * The tensor in the layout that is asked for, made by collectives if it is not at hand.
   *
   * @param whole its dimensions over the whole job on the axes on which it is wanted
   */
  Value reshard(String tensor, Layout wanted, List<Expr> whole) {
    Value start = latest(tensor);
    for (Value form : forms.getOrDefault(tensor, List.of())) {
      if (form.layout().equals(wanted)) {
        return form;
      }
    }
    Value now = start;
    for (Resharding.Move move : Resharding.moves(now.layout(), wanted)) {
      now = move(now, move, whole);
    }
    return now;
  }

  private Value move(Value from, Resharding.Move move, List<Expr> whole) {
    // Who has more experts' rows than others gets more than it gives.
    boolean exchange = move.kind() == Collective.Kind.ALL_TO_ALL;
    List<Expr> dims = exchange ? move.to().local(mesh, whole) : resized(from, move);
    boolean local = move.kind() == null;
    Value.Source source =
        local ? new Value.Source.View(from.id()) : new Value.Source.Step(steps.size());
    Value to =
        new Value(
            values.size(),
            from.tensor(),
            form(from, move),
            from.element(),
            move.to(),
            dims,
            source);
    values.add(to);
    forms.getOrDefault(from.tensor(), List.of()).add(to);
    Collective.Kind kind = move.kind();
    if (kind != null) {
      steps.add(new Step.Transfer(kind, move.axes(), from, to));
    }
    return to;
  }

  /** The dimensions after a gather, a scatter or a slice: each axis cuts one no more, or anew. */
  private List<Expr> resized(Value from, Resharding.Move move) {
    List<Expr> dims = new ArrayList<>(from.dims());
    for (int axis : move.axes()) {
      Expr degree = mesh.axes().get(axis).degree();
      if (from.layout().isSharded(axis)) {
        dims.set(
            from.layout().dimension(axis), dims.get(from.layout().dimension(axis)).times(degree));
      }
      if (move.to().isSharded(axis)) {
        dims.set(move.to().dimension(axis), dims.get(move.to().dimension(axis)).over(degree));
      }
    }
    return dims;
  }

  /**
   * What is made again of a tensor that the forward pass kept says so, as its name was used there.
   */
  private String form(Value from, Resharding.Move move) {
    String text = move.kind() == null ? "slice" : move.kind().text();
    return from.source() instanceof Value.Source.Saved ? text + ".backward" : text;
  }

  PlacedModule finish(String name, Map<String, Value> outputs) {
    Map<String, Value> kept = new HashMap<>();
    forms.keySet().forEach(tensor -> kept.put(tensor, latest(tensor)));
    return new PlacedModule(name, steps, values, kept, outputs);
  }
}
