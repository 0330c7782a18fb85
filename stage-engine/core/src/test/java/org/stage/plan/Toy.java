package org.stage.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.stage.api.graph.Element;
import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;
import org.stage.api.graph.OperatorKind;
import org.stage.api.symbol.Expr;
import org.stage.api.workload.Node.Collective;
import org.stage.parallel.KernelCost;
import org.stage.parallel.Layout;
import org.stage.parallel.PlacedModule;
import org.stage.parallel.Step;
import org.stage.parallel.Value;

/**
 * Placed modules for tests, value by value and step by step. A value is written {@code y:all-reduce
 * 6}: tensor, form, elements. Tensors whose names begin with {@code w} are parameters.
 */
final class Toy {
  /** 24 FLOPs and 5 other operations; reads 12 weights and 10 gradients, writes 6 activations. */
  static final KernelCost COST =
      new KernelCost(
          Expr.of(24),
          Expr.of(5),
          Stream.of(1, 2, 3, 4).map(Expr::of).toList(),
          Map.of(Element.WEIGHT, Expr.of(12), Element.GRADIENT, Expr.of(10)),
          Map.of(Element.ACTIVATION, Expr.of(6)));

  /** The same of a kernel that adds 10 gradients to those that there are. */
  private static final KernelCost OF_GRADIENT =
      new KernelCost(
          COST.flops(),
          COST.otherFlops(),
          COST.shape(),
          COST.read(),
          Map.of(Element.GRADIENT, Expr.of(10)));

  private static final Layout WHOLE = new Layout(List.of(), Set.of(), Set.of());

  private final List<Step> steps = new ArrayList<>();
  private final List<Value> values = new ArrayList<>();
  private final Map<String, Value> outputs = new LinkedHashMap<>();

  Toy neighbour(String value) {
    return add(value, new Value.Source.Neighbour());
  }

  Toy given(String value) {
    return add(value, new Value.Source.Given());
  }

  /** A value that the forward program has as its {@code from}th. */
  Toy saved(String value, int from) {
    return add(value, new Value.Source.Saved(from));
  }

  Toy view(String value, String of) {
    return add(value, new Value.Source.View(find(of).id(), Expr.ZERO));
  }

  Toy kernel(String name, String reads, String written) {
    return kernel(name, name, reads, written);
  }

  /** A kernel that is a part of an operator of the module. */
  Toy kernel(String name, String origin, String reads, String written) {
    add(written, new Value.Source.Step(steps.size()));
    Operand output = new Operand(written, List.of());
    Operator operator = Operator.of(name, OperatorKind.ADD, List.of(), output);
    KernelCost cost = last().element() == Element.GRADIENT ? OF_GRADIENT : COST;
    steps.add(new Step.Kernel(operator, origin, find(reads.split(" ")), List.of(last()), cost));
    return this;
  }

  /** A collective over the two ranks of an axis. */
  Toy transfer(Collective.Kind kind, String axis, String read, String written) {
    add(written, new Value.Source.Step(steps.size()));
    steps.add(new Step.Transfer(kind, List.of(Units.AXES.indexOf(axis)), find(read), last()));
    return this;
  }

  Toy shift(String name, String axis, String reads, String written) {
    add(written, new Value.Source.Step(steps.size()));
    steps.add(new Step.Shift(name, name, axis, find(reads.split(" ")), List.of(last())));
    return this;
  }

  Toy output(String value) {
    outputs.put(find(value).tensor(), find(value));
    return this;
  }

  PlacedModule module() {
    return new PlacedModule("toy", steps, values, Map.of(), outputs);
  }

  private Toy add(String text, Value.Source source) {
    String[] words = text.split(" ");
    String[] name = words[0].split(":");
    List<Expr> dims = List.of(Expr.parse(words.length > 1 ? words[1] : "6"));
    String form = name.length > 1 ? name[1] : "";
    values.add(new Value(values.size(), name[0], form, element(name[0]), WHOLE, dims, source));
    return this;
  }

  private static Element element(String tensor) {
    boolean parameter = tensor.startsWith("w");
    return !parameter
        ? Element.ACTIVATION
        : tensor.contains(".grad") ? Element.GRADIENT : Element.WEIGHT;
  }

  private Value last() {
    return values.get(values.size() - 1);
  }

  private List<Value> find(String[] names) {
    return Stream.of(names).map(this::find).toList();
  }

  private Value find(String name) {
    return values.stream()
        .filter(value -> (value.tensor() + ":" + value.form()).startsWith(withForm(name)))
        .findFirst()
        .orElseThrow();
  }

  private static String withForm(String name) {
    return name.contains(":") ? name : name + ":";
  }
}
