package org.stage.testkit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.stage.api.diagnostic.InputException;
import org.stage.api.graph.Axis;
import org.stage.api.graph.Element;
import org.stage.api.graph.Module;
import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;
import org.stage.api.graph.OperatorKind;
import org.stage.api.graph.Tensor;
import org.stage.api.plugin.GraphTransform;
import org.stage.api.plugin.Option;
import org.stage.api.plugin.RunContext;
import org.stage.api.symbol.Expr;

/**
 * Makes one sum of sums of which one reads the other, and keeps the contract but for one fault. A
 * sum that something else reads, or that leaves the module, stays.
 */
final class FaultyTransform implements GraphTransform {
  /** What is wrong with it. */
  enum Fault {
    NONE,
    NAME,
    COUNTS_OPTIONS,
    DOES_NOTHING,
    COPIES,
    RENAMES,
    DROPS_PARAMETERS,
    DROPS_INPUTS,
    REORDERS_OUTPUTS,
    CHANGES_ELEMENTS,
    RESIZES_AXES,
    BREAKS_ON_OTHER_KINDS,
    COUNTS_RUNS,
    DEFAULT_LOCALE,
    ONE_STEP,
    BREAKS_ON_AN_OPTION,
    NEVER_STOPS,
    OVERSHOOTS
  }

  private final Fault fault;
  private int runs;
  private int asked;

  FaultyTransform(Fault fault) {
    this.fault = fault;
  }

  private boolean is(Fault other) {
    return fault == other;
  }

  @Override
  public String name() {
    return is(Fault.NAME) ? "Fuse Sums" : "fuse-sums";
  }

  @Override
  public String description() {
    return "makes one sum of sums of sums";
  }

  @Override
  public List<Option> options() {
    asked++;
    int most = is(Fault.COUNTS_OPTIONS) ? asked : 8;
    return List.of(Option.ofInteger("most", most, "inputs of a sum at most, 2 or more"));
  }

  @Override
  public Module apply(Module module, RunContext context) {
    runs++;
    stopIfAsked(context);
    context.progress().report(is(Fault.OVERSHOOTS) ? 2 : 1, 1, "modules");
    long most = context.options().integer("most");
    if (most < 2) {
      throw is(Fault.BREAKS_ON_AN_OPTION)
          ? new IllegalStateException("most")
          : new InputException("most", most + " is less than 2", "Take 2 or more.");
    }
    if (is(Fault.BREAKS_ON_OTHER_KINDS)
        && module.operators().stream().anyMatch(each -> each.kind().text().startsWith("my_"))) {
      throw new IllegalArgumentException("kind");
    }
    Module fused = fused(module, most);
    return fused.equals(module) && !is(Fault.COPIES) ? module : spoilt(fused);
  }

  private void stopIfAsked(RunContext context) {
    try {
      context.checkCancelled();
    } catch (CancellationException e) {
      if (!is(Fault.NEVER_STOPS)) {
        throw e;
      }
    }
  }

  private Module fused(Module module, long most) {
    Module before = module;
    Optional<Module> after = is(Fault.DOES_NOTHING) ? Optional.empty() : step(module, most);
    while (after.isPresent()) {
      before = after.get();
      after = is(Fault.ONE_STEP) ? Optional.empty() : step(before, most);
    }
    return before;
  }

  /** The first sum that only another sum reads becomes a part of that. */
  private static Optional<Module> step(Module module, long most) {
    for (Operator inner : module.operators()) {
      for (Operator outer : module.operators()) {
        if (isSum(inner)
            && isSum(outer)
            && outer.inputs().contains(inner.output())
            && isReadOnce(module, inner.output().tensor())
            && inner.inputs().size() + outer.inputs().size() - 1 <= most) {
          return Optional.of(joined(module, inner, outer));
        }
      }
    }
    return Optional.empty();
  }

  private static boolean isSum(Operator operator) {
    return operator.kind().equals(OperatorKind.ADD);
  }

  private static boolean isReadOnce(Module module, String tensor) {
    long reads =
        module.operators().stream()
            .flatMap(each -> each.inputs().stream())
            .filter(operand -> operand.tensor().equals(tensor))
            .count();
    return reads == 1 && !module.outputs().contains(tensor);
  }

  private static Module joined(Module module, Operator inner, Operator outer) {
    List<Operand> inputs = new ArrayList<>();
    for (Operand operand : outer.inputs()) {
      inputs.addAll(operand.equals(inner.output()) ? inner.inputs() : List.of(operand));
    }
    Operator sum = Operator.of(outer.name(), OperatorKind.ADD, inputs, outer.output());
    List<Operator> operators = new ArrayList<>(module.operators());
    operators.replaceAll(each -> each.equals(outer) ? sum : each);
    operators.remove(inner);
    List<Tensor> tensors =
        module.tensors().stream()
            .filter(tensor -> !tensor.name().equals(inner.output().tensor()))
            .toList();
    return new Module(
        module.name(),
        module.axes(),
        module.inputs(),
        module.parameters(),
        operators,
        tensors,
        module.outputs());
  }

  /** The same with the fault in it. */
  private Module spoilt(Module module) {
    List<Operator> operators = new ArrayList<>(module.operators());
    if (is(Fault.COUNTS_RUNS) || is(Fault.DEFAULT_LOCALE)) {
      String suffix = is(Fault.COUNTS_RUNS) ? "" + runs : String.format("%d", 1);
      operators.replaceAll(
          each -> new Operator(each.name() + suffix, each.kind(), each.inputs(), each.outputs()));
    }
    List<String> outputs = new ArrayList<>(module.outputs());
    if (is(Fault.REORDERS_OUTPUTS)) {
      Collections.reverse(outputs);
    }
    return new Module(
        is(Fault.RENAMES) ? module.name().toUpperCase(Locale.ROOT) : module.name(),
        module.axes().stream().map(this::spoilt).toList(),
        is(Fault.DROPS_INPUTS) ? module.inputs().subList(0, 3) : module.inputs(),
        is(Fault.DROPS_PARAMETERS) ? List.of() : module.parameters(),
        operators,
        module.tensors().stream().map(this::spoilt).toList(),
        outputs);
  }

  private Axis spoilt(Axis axis) {
    return is(Fault.RESIZES_AXES) ? new Axis(axis.name(), Expr.parse("7")) : axis;
  }

  private Tensor spoilt(Tensor tensor) {
    return is(Fault.CHANGES_ELEMENTS)
        ? new Tensor(tensor.name(), tensor.axes(), Element.STATISTIC)
        : tensor;
  }
}
